"""What a Job's controller remembers: how many pods have succeeded and failed, and since when it waits.

Source: kubernetes v1.36 pkg/controller/job/backoff_utils.go newBackoffRecord,
getRemainingTimeForFailuresCount; indexed_job_utils.go parseIndexesFromString.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import astuple, dataclass, field, fields
from typing import Any

from scheduler_core.objects.timestamps import parse_timestamp

Object = dict[str, Any]

SECOND = 10**9
FIRST_BACKOFF = 10 * SECOND
LAST_BACKOFF = 600 * SECOND


@dataclass
class JobRecord:
    """Counts of pods; indexes that are done; instants are nanoseconds since the run's start.

    `failures` are those since the last success, the last of them at `last_failure`. `by_index` has for each
    index that has failed how often, when last, and how often that was ignored. `fails_since` says why a pod's
    failure is that of the Job; `why` are when, for which reason and with which message it ended in the run.
    """

    succeeded: int = 0
    failed: int = 0
    failures: int = 0
    last_failure: int | None = None
    started: int | None = None
    is_suspended: bool = False
    ended: str = ""
    done: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    by_index: list[list[int]] = field(default_factory=list)
    fails_since: str = ""
    why: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, job: Object, epoch: int) -> JobRecord:
        """Return what a Job's status says."""
        status = job.get("status") or {}
        conditions = {
            one.get("type") for one in status.get("conditions") or () if one.get("status") == "True"
        }
        ended = "completed" if "Complete" in conditions else "failed" if "Failed" in conditions else ""
        started = status.get("startTime")
        return cls(
            succeeded=int(status.get("succeeded") or 0),
            failed=int(status.get("failed") or 0),
            started=None if started is None else parse_timestamp(started, epoch) - epoch,
            is_suspended="Suspended" in conditions,
            ended=ended,
            done=read_indexes(status.get("completedIndexes") or ""),
            lost=read_indexes(status.get("failedIndexes") or ""),
        )

    @classmethod
    def read(cls, values: Sequence[Any]) -> JobRecord:
        """Return the record that these values were written of."""
        named = dict(zip((one.name for one in fields(cls)), values, strict=True))
        copied = {name: deepcopy(value) for name, value in named.items()}
        return cls(**copied)

    def written(self) -> list[Any]:
        """Return the record as plain values."""
        return list(astuple(self))

    def note(self, successes: Sequence[int], failures: Sequence[int]) -> None:
        """Count pods that have ended at these instants."""
        self.succeeded += len(successes)
        if successes:
            failures = [at for at in failures if at > max(successes)]
            self.failures, self.last_failure = 0, None
        if failures:
            self.failures += len(failures)
            self.last_failure = max(failures)

    def waits_until(self) -> int | None:
        """Return until when no new pods come; None where nothing has failed."""
        return waits_until(self.failures, self.last_failure)

    def note_index(self, index: int, at: int, *, is_ignored: bool = False) -> int:
        """Count a failure of an index; return how many there are that aren't ignored."""
        found = next((one for one in self.by_index if one[0] == index), None)
        if found is None:
            found = [index, 0, at, 0]
            self.by_index.append(found)
        found[1:] = [found[1] + 1, max(found[2], at), found[3] + is_ignored]
        return found[1] - found[3]

    def index_waits_until(self, index: int) -> int | None:
        """Return until when no new pod of an index comes; None where it hasn't failed."""
        found = next((one for one in self.by_index if one[0] == index), None)
        return None if found is None else waits_until(found[1], found[2])


def write_indexes(indexes: Sequence[int]) -> str:
    """Return numbers in order as `0,2-4`."""
    parts: list[str] = []
    start = last = None
    for index in [*indexes, None]:
        if last is not None and index == last + 1:
            last = index
            continue
        if start is not None and last is not None:
            parts.append(str(start) if start == last else f"{start}{',' if last == start + 1 else '-'}{last}")
        start = last = index
    return ",".join(parts)


def waits_until(failures: int, last: int | None) -> int | None:
    """Return until when so many failures in a row hold new pods back."""
    if not failures or last is None:
        return None
    return last + min(FIRST_BACKOFF << min(failures - 1, 10), LAST_BACKOFF)


def read_indexes(text: str) -> list[int]:
    """Return the numbers of `0,2-4`; what isn't understood is left out."""
    found: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        if first.isdigit() and (last or first).isdigit():
            found += range(int(first), int(last or first) + 1)
    return found
