"""The wheel as a user gets it: built, installed in a clean environment, run outside the checkout.

An editable install finds `data/` beside the package even when the wheel lacks it, so only this
test shows that the shipped program is whole.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_wheel_sizes_a_sample_outside_the_checkout(tmp_path: Path) -> None:
    source = tmp_path / "source"
    keep = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", "*.egg-info")
    shutil.copytree(ROOT, source, ignore=keep)
    built = _run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, cwd=source)
    assert built.returncode == 0, built.stdout + built.stderr
    wheel = next(tmp_path.glob("clusterplan-*.whl"))

    shipped = zipfile.ZipFile(wheel).namelist()
    assert "clusterplan/data/SOURCES.yaml" in shipped
    assert "clusterplan/data/racks.csv" in shipped
    assert not [name for name in shipped if name.startswith(("sample_sites", "tests"))]

    environment = tmp_path / "clean"
    venv.create(environment, with_pip=True)
    folder = "Scripts" if sys.platform == "win32" else "bin"
    installed = _run(environment / folder / "python", "-m", "pip", "install", wheel, cwd=tmp_path)
    assert installed.returncode == 0, installed.stderr

    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(ROOT / "sample_sites" / "abilene", elsewhere / "abilene")
    result = _run(
        environment / folder / "clusterplan", "size", "abilene", "--format", "json", cwd=elsewhere
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["schema"] == "clusterplan/size/1"
