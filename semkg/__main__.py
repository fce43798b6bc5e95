"""`python -m semkg` is the command line."""

from semkg.cli import main

main()
