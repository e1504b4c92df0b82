from shadowtime.console.session.shift.attempts import Attempts as Attempts
from shadowtime.console.session.shift.debrief import ActionOdds as ActionOdds
from shadowtime.console.session.shift.debrief import Debrief as Debrief
from shadowtime.console.session.shift.debrief import Moment as Moment
from shadowtime.console.session.shift.debrief import debriefed as debriefed
from shadowtime.console.session.shift.figures import Figures as Figures
from shadowtime.console.session.shift.on_duty import ShiftSession as ShiftSession
from shadowtime.console.session.shift.responses import References as References
from shadowtime.console.session.shift.responses import inject as inject
from shadowtime.console.session.shift.responses import references as references
from shadowtime.console.session.shift.responses import references_of as references_of
from shadowtime.console.session.shift.score import MOST as MOST
from shadowtime.console.session.shift.score import Score as Score
from shadowtime.console.session.shift.score import scored as scored
from shadowtime.console.session.shift.shelf import ShiftFile as ShiftFile
from shadowtime.console.session.shift.shelf import name_of as name_of
from shadowtime.console.session.shift.shelf import open_shift as open_shift
from shadowtime.console.session.shift.shelf import shift_files as shift_files
from shadowtime.console.session.shift.station import EVERY as EVERY
from shadowtime.console.session.shift.station import Orders as Orders
from shadowtime.scenarios.shift import MANUAL as MANUAL
from shadowtime.scenarios.shift import Shift as Shift

__all__: list[str]
