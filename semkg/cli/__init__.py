"""The command line: parse, call, print; no logic."""

from semkg.cli.main import main

__all__ = ["main"]
