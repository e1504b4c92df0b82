"""A cluster over Slurm's REST interface (slurmrestd) in place of its commands; only GET is sent."""

from shadowtime.console.session.slurm.capturing.rest.address import parse_address
from shadowtime.console.session.slurm.capturing.rest.reading import Rest
from shadowtime.console.session.slurm.capturing.rest.token import read_token

__all__ = ["Address", "Rest", "Token", "parse_address", "read_token"]
