"""The group of all commands, and what every error becomes: a message and an exit code, never a traceback."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from pathlib import Path

import click

import semkg
from semkg.cli import asking, building, evaluating, keeping, moving
from semkg.errors import Interrupted, SemkgError, from_os_error

COMMANDS: tuple[click.Command, ...] = (
    building.init,
    building.build,
    asking.ask,
    asking.search,
    asking.show,
    asking.why,
    asking.query,
    keeping.stats,
    keeping.validate,
    keeping.doctor,
    keeping.merge,
    keeping.unmerge,
    keeping.reembed,
    building.delete,
    moving.export,
    moving.import_,
    evaluating.evaluate,
)


class Commands(click.Group):
    """Lists the commands in the order of their use, not by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(semkg.__version__, prog_name="semkg")
def cli() -> None:
    """Build a knowledge graph from documents, ask it, and see for every fact the words it came from.

    Start with `semkg build FOLDER`, then `semkg ask "QUESTION"`.
    """


for command in COMMANDS:
    cli.add_command(command)


def main() -> None:
    """Run the command line and exit with the code of DESIGN §6."""
    code = run(sys.argv[1:])
    # Python looks for cycles once more when it ends; among all that the models and the shapes hold that takes half a second.
    gc.freeze()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command; returns its exit code."""
    try:
        result = cli.main(arguments, prog_name="semkg", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _told(Interrupted("stopped; what was committed is kept, and the same command goes on from there"))
    except BrokenPipeError:
        # Whoever read our output has seen enough; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SemkgError as error:
        return _told(error)
    except OSError as error:
        return _told(from_os_error(error, error.filename or "a file"))
    except Exception as error:  # noqa: BLE001  # the last resort: a defect of ours is told in a line, not in a traceback
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno}"
        return _told(
            SemkgError(f"a defect of semkg ({type(error).__name__} at {place}: {error}); please report it. What was committed is kept")
        )


def _told(error: SemkgError) -> int:
    click.echo(f"semkg: {error}", err=True)
    return error.exit_code
