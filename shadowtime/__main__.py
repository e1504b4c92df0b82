"""`python -m shadowtime` is the command `shadowtime`."""

from shadowtime.console.main import main

main()
