from shadowtime.scenarios.slurm.capture import read_capture as read_capture
from shadowtime.scenarios.slurm.config import Ageing as Ageing
from shadowtime.scenarios.slurm.config import Backfill as Backfill
from shadowtime.scenarios.slurm.config import FairShare as FairShare
from shadowtime.scenarios.slurm.config import Settings as Settings
from shadowtime.scenarios.slurm.errors import CaptureError as CaptureError
from shadowtime.scenarios.slurm.generation import Generation as Generation
from shadowtime.scenarios.slurm.hostlist import format_hosts as format_hosts
from shadowtime.scenarios.slurm.hostlist import parse_hosts as parse_hosts
from shadowtime.scenarios.slurm.records import ArrayPart as ArrayPart
from shadowtime.scenarios.slurm.records import Association as Association
from shadowtime.scenarios.slurm.records import Capture as Capture
from shadowtime.scenarios.slurm.records import FairShareState as FairShareState
from shadowtime.scenarios.slurm.records import Job as Job
from shadowtime.scenarios.slurm.records import Node as Node
from shadowtime.scenarios.slurm.records import Partition as Partition
from shadowtime.scenarios.slurm.records import Quality as Quality
from shadowtime.scenarios.slurm.records import Request as Request
from shadowtime.scenarios.slurm.records import Reservation as Reservation
from shadowtime.scenarios.slurm.records import Share as Share
from shadowtime.scenarios.slurm.records import Tree as Tree

__all__: list[str]
