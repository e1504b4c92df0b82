"""`python -m console` is the command `shadowtime`."""

from console.main import main

main()
