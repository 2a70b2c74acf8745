"""Set up a virtual environment and run every check: lint, format, types, layers, tests, wheel.

Usage: python3 check.py [--here] [pytest arguments]

`--here` uses the Python that runs this file instead of `.venv-check` (its packages must be
installed). Anything else goes to pytest.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
HOME = ROOT / ".venv-check"


def _python(*, here: bool) -> Path:
    if here:
        return Path(sys.executable)
    folder = "Scripts" if sys.platform == "win32" else "bin"
    python = HOME / folder / "python"
    if not python.exists():
        venv.create(HOME, with_pip=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--editable", f"{ROOT}[test]"], check=True)
    return python


def main(arguments: list[str]) -> int:
    """Run the checks in order; stop at the first that fails."""
    here = "--here" in arguments
    python = str(_python(here=here))
    rest = [argument for argument in arguments if argument != "--here"]
    steps = {
        "lint": ["-m", "ruff", "check", "."],
        "format": ["-m", "ruff", "format", "--check", "."],
        "types": ["-m", "mypy"],
        "layers": ["-c", "from importlinter.cli import lint_imports_command as c; c()"],
        "tests": ["-m", "pytest", "-n", "2", *rest],
    }
    for name, step in steps.items():
        print(f"== {name}", flush=True)
        code = subprocess.run([python, *step], cwd=ROOT, check=False).returncode
        if code:
            print(f"== {name} failed", flush=True)
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
