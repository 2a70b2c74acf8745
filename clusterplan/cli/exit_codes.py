"""How a run ends: what a user is told on stderr, and the exit code."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from clusterplan.core.errors import CatalogError, ClusterplanError, InfeasibleError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO


def null_output() -> TextIO:
    """A stream that drops what is written, for a standard stream that is gone."""
    return open(os.devnull, "w")  # noqa: PTH123  pathlib costs start-up time


def run_app(app: Callable[..., Any], arguments: Sequence[str]) -> int:
    """Run the program and tell what went wrong on stderr; the exit code: 0, 1, 2 or 3."""
    try:
        result = app(args=list(arguments), standalone_mode=False)
    except InfeasibleError as error:
        _fail(f"infeasible: {error}")
        return 3
    except CatalogError as error:
        _fail(f"defect: {error}")
        return 1
    except ClusterplanError as error:
        _fail("\n".join(f"error: {line}" for line in str(error).splitlines()))
        return 2
    except KeyboardInterrupt:
        # die of the signal, as shells expect; the contract knows no exit code for it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
        return 1
    except BrokenPipeError:
        sys.stdout = null_output()  # keeps the final flush quiet
        return 0
    except OSError as error:  # a full disk under standard output; input files are caught before
        _fail(f"error: {error.filename or 'standard output'}: {error.strerror or error}")
        sys.stdout = null_output()
        return 2
    except Exception as error:
        # the parser's own errors, whichever library version raised them
        if hasattr(error, "format_message"):
            _fail(f"error: {Problem(error.format_message())}")
            return 2
        if type(error).__name__ == "Exit":
            return int(getattr(error, "exit_code", 0))
        if os.environ.get("CLUSTERPLAN_DEBUG"):
            raise
        _fail(
            f"defect: {type(error).__name__}: {error}\n"
            "This is a fault of clusterplan; CLUSTERPLAN_DEBUG=1 shows where."
        )
        return 1
    return result if isinstance(result, int) else 0


def _fail(message: str) -> None:
    sys.stderr.write(message.rstrip("\n") + "\n")
