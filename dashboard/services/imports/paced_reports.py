"""Reports of an import's progress, not more often than anybody looks: each is written to the database."""

import time
from collections.abc import Callable

REPORT_SECONDS = 0.25

Report = Callable[[str, int, int], None]
"""Called with a stage and how much of it is done; may raise LeaseLost."""


class PacedReports:
    """Passes on what is reported, unless something was reported just now."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._reported_at = 0.0

    def tell(self, stage: str, done: int, total: int) -> None:
        """Report in any case: a long stage begins."""
        self._report(stage, done, total)
        self._reported_at = time.monotonic()

    def pass_by(self, stage: str, done: int, total: int) -> None:
        """Report a stage, unless something was reported just now."""
        if time.monotonic() - self._reported_at >= REPORT_SECONDS:
            self.tell(stage, done, total)
