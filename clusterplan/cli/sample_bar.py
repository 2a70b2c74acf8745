"""The progress bar of a comparison while plans are sized for samples of sites with ranges."""

from __future__ import annotations

import os
import sys
from typing import Any


class SampleBar:
    """A bar on stderr where that is a terminal, from the first plan on; nothing elsewhere."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._site = ""
        self._task: Any = None
        self._shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> SampleBar:
        return self

    def heard(self, site: str, done: int, count: int) -> None:
        """One more plan of a site is sized."""
        if not self._shown:
            return
        if self._bar is None:
            self._bar = _started()
        if site != self._site:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._site = site
            self._task = self._bar.add_task(f"samples of {site}", total=count)
        self._bar.update(self._task, completed=done)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _started() -> Any:
    from rich import progress
    from rich.console import Console

    bar = progress.Progress(
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("left"),
        progress.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.start()
    return bar
