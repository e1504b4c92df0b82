from shadowtime.console.session.slurm.capturing.commands import Reach as Reach
from shadowtime.console.session.slurm.capturing.rest.asking import parse_address as parse_address
from shadowtime.console.session.slurm.capturing.rest.reading import Rest as Rest
from shadowtime.console.session.slurm.capturing.rest.reading import read_token as read_token
from shadowtime.console.session.slurm.capturing.running import Runner as Runner
from shadowtime.console.session.slurm.capturing.source import ClusterSource as ClusterSource
from shadowtime.console.session.slurm.capturing.source import Folder as Folder
from shadowtime.console.session.slurm.capturing.source import Live as Live
from shadowtime.console.session.slurm.capturing.source import take_once as take_once
from shadowtime.console.session.slurm.capturing.taking import write_capture as write_capture

__all__: list[str]
