"""The application: its commands, and what every error becomes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError

from phusion import __version__
from phusion.cli import exit_codes
from phusion.cli.advise import advise
from phusion.cli.components import components
from phusion.cli.convert import convert
from phusion.cli.datasets import datasets
from phusion.cli.doctor import doctor
from phusion.cli.embed import embed
from phusion.cli.explore import explore
from phusion.cli.formats import formats
from phusion.cli.graphs import graphs
from phusion.cli.inspect import inspect
from phusion.cli.method import UsageError
from phusion.cli.plan import plan
from phusion.cli.plot import plot
from phusion.cli.presets import presets
from phusion.cli.report import report
from phusion.cli.reproduce import reproduce
from phusion.cli.study import study
from phusion.cli.sweep import sweep
from phusion.errors import OutputError, PhusionError

__all__ = ["app", "run"]

_ROOMY = 3_000_000 * 1024  # bytes of address space in which all libraries and small graphs have room
_ROOM = "Give it more: libraries alone take about 2 GB of address space (ulimit -v 3000000), or give --memory less"

app = App(
    name="phusion",
    help="Node and graph embedding: any graph in, your node ids back.",
    help_epilogue=f"Exit codes: {exit_codes.explained()}",
    version=__version__,
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
COMMANDS = (
    embed, graphs, advise, sweep, explore, plot, plan, presets, components, inspect, convert, datasets, formats,
    reproduce, study, report, doctor,
)  # fmt: skip
for command in COMMANDS:
    app.command(command)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; every outcome has an exit code, and no bad input shows a traceback.

    What interrupts it is for the caller.
    """
    try:
        if not arguments:
            app.help_print([])
            return exit_codes.OK
        if arguments[0] == "help":
            arguments = [*arguments[1:], "--help"]
        result = app(list(arguments), exit_on_error=False, print_error=False)
        if sys.stdout is not None:  # as after >&-
            sys.stdout.flush()
    except CycloptsError as error:
        _say(f"{_plain(error)}{_hint(error, arguments)}\nTry: phusion {_command(arguments)}--help")
        return exit_codes.USAGE
    except UsageError as error:
        _say(f"{error}\nTry: phusion {_command(arguments)}--help")
        return exit_codes.USAGE
    except OutputError as error:
        _say(str(error))
        return exit_codes.OUTPUT_REFUSED
    except PhusionError as error:
        _say(f"{error}{_more_room(error)}")
        return exit_codes.BAD_INPUT
    except BrokenPipeError:  # the reader of our output has gone, as `phusion … | head` does
        _discard_output()
        return exit_codes.OK
    except MemoryError as error:
        _say(f"the memory that this process may take is used up ({error}). {_ROOM}")
        return exit_codes.BAD_INPUT
    except (ImportError, OSError, SystemError) as error:
        # so libraries that cannot be loaded fail; errors that the system itself numbers are of files
        if getattr(error, "errno", None) is None and _is_tight():
            _say(f"{error}: the address space that ulimit -v allows is used up, as it seems. {_ROOM}")
            return exit_codes.BAD_INPUT
        if not isinstance(error, OSError):
            raise
        if error.filename is not None:  # of a file, which has phusion's own errors wherever it is known to fail
            _say(f"{error.filename}: {error.strerror}")
            return exit_codes.BAD_INPUT
        _discard_output()  # a full disk behind our output
        _say(f"cannot write the result: {error.strerror or error}")
        return exit_codes.OUTPUT_REFUSED
    return result if isinstance(result, int) else exit_codes.OK


def _is_tight() -> bool:
    """Whether libraries may not fit into the address space."""
    from phusion.execution.memory import address_space

    limit = address_space()
    return limit is not None and limit.total is not None and limit.total < _ROOMY


def _more_room(error: PhusionError) -> str:
    """What to say where a plan finds no memory because of ``ulimit -v``."""
    if not _is_tight():
        return ""
    from phusion.execution.planning import TooLittleMemoryError

    return f". {_ROOM}" if isinstance(error, TooLittleMemoryError) else ""


def _discard_output() -> None:
    """Python would try to write the rest once more at its end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str) -> None:
    print(f"phusion: {message}", file=sys.stderr)


def _plain(error: CycloptsError) -> str:
    return " ".join(str(error).split())


def _hint(error: CycloptsError, arguments: Sequence[str]) -> str:
    """How a parameter of a method is given, if it was given as an option."""
    if "Unused Tokens" in _plain(error) and "--set" in arguments:
        return " Parameters are given as --set name=value, several values as --set scale=0.1,1,10"
    if "-" in arguments:
        return " '-' is no file here: /dev/stdin is what comes through a pipe; results are written to files alone"
    found = re.match(r"Unknown option: --([a-z_]+)", _plain(error))
    if not found or arguments[0] not in ("embed", "graphs", "plan"):
        return ""
    from phusion.component import FAMILIES, known

    parts = (part for family in FAMILIES for part in known(family).values())
    if found[1] not in {parameter.name for part in parts for parameter in part.parameters()}:
        return ""
    return f" A parameter of the method is given as --set {found[1]}=…"


def _command(arguments: Sequence[str]) -> str:
    return f"{arguments[0]} " if arguments and arguments[0] in app else ""
