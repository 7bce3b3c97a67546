"""What an answer of a run is made from, and the names in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dashboard.answers.sentence import Name, Names, Place, Sentence, decision, number, sentence, times
from dashboard.shapes.edits import EditResult
from dashboard.shapes.outcome import Figures, WorkloadEnd
from scheduler_core.schedulers.registry import job_name

LISTED = 4
"""So many names stand in a sentence; the others are counted."""
_SUMS = ("placed", "evicted", "pending", "flows", "deleted", "time")


@dataclass(frozen=True)
class EndedRun:
    """A run that has ended, its figures, and those of the run without its edits.

    run, snapshot, against_run: primary keys, null where nothing is stored; against: null where one of both
    was not played to its end. by: what all of it comes of, in words. profile: what plays it, as kube-1.36.
    """

    run: int | None
    snapshot: int | None
    status: str
    attempt_limit: int
    edits: Sequence[Mapping[str, Any]]
    results: Sequence[EditResult]
    trust: Mapping[str, Any] | None
    figures: Figures
    against: Figures | None = None
    against_run: int | None = None
    by: str = "your edits"
    profile: str = ""

    def of(self, operation: str) -> list[tuple[Mapping[str, Any], EditResult]]:
        """Return the edits of an operation with their results, in order."""
        pairs = ((self.edits[result["index"]], result) for result in self.results if self._has(result))
        return [(edit, result) for edit, result in pairs if edit.get("op") == operation]

    def _has(self, result: EditResult) -> bool:
        return result["index"] < len(self.edits)

    @property
    def is_interrupted(self) -> bool:
        """Whether the run was ended before it came to an end of its own, or to a limit."""
        return self.status in ("cancelled", "failed")

    @property
    def without(self) -> str:
        """What the figures are held against: the run without this edit, or without all of them."""
        return "without it" if len(self.edits) == 1 else "without the edits"

    @property
    def ends_alike(self) -> bool:
        """Whether the run without the edits ends with the same pods on the same nodes, as many moved."""
        if self.against is None:
            return False
        placement = self.figures.get("placement")
        same = all(self.figures.get(name) == self.against.get(name) for name in _SUMS)
        return same and placement is not None and placement == self.against.get("placement")

    def decision(self, seq: int) -> Name:
        """Return a decision of the run."""
        return decision(self.run, seq)

    @cached_property
    def ends(self) -> dict[str, WorkloadEnd]:
        """What became of workloads, by `Kind/namespace/name`."""
        return {row["workload"]: row for row in self.figures.get("ends", ())}

    @cached_property
    def copies(self) -> dict[str, list[WorkloadEnd]]:
        """What became of pods without a controller that end with a number, by what stands before it."""
        found: dict[str, list[WorkloadEnd]] = {}
        for workload, row in self.ends.items():
            beginning, _, number_of_copy = workload.rpartition("-")
            if workload.startswith("Pod/") and number_of_copy.isdigit():
                found.setdefault(beginning, []).append(row)
        return found

    @cached_property
    def jobs(self) -> dict[str, WorkloadEnd]:
        """What became of the pods of pod groups, by `namespace/name` of the job, or of the group itself."""
        groups = (workload for workload in self.ends if workload.startswith("PodGroup/"))
        return {job_name(workload).partition("/")[2]: self.ends[workload] for workload in groups}

    @cached_property
    def unmade(self) -> dict[str, WorkloadEnd]:
        """Jobs, by `namespace/name`, that have no pods since their queue lets none of them in.

        Of each the fewest pods that it may start with are told.
        """
        return {
            job_name(row["group"]): {
                "workload": f"PodGroup/{row['group']}", "at_start": 0, "pods": row["min_member"],
                "running": 0, "evicting": 0, "pending": row["min_member"],
            }
            for row in self.figures.get("by_group", ())
            if not row["pods"] and not row["deleted"] and not row.get("completed")
        }  # fmt: skip

    @cached_property
    def evicted_by(self) -> dict[str, dict[str, int]]:
        """How many pods of each workload had to go for which, by the one that they went for."""
        counts: dict[str, dict[str, int]] = {}
        for flow in self.figures.get("flows", ()):
            whom = counts.setdefault(flow["by"], {})
            whom[flow["whom"]] = whom.get(flow["whom"], 0) + flow["pods"]
        return counts

    def pods_without_edits(self, workload: str) -> int:
        """Return how many pods of a workload the run without edits ends with."""
        rows = () if self.against is None else self.against.get("ends", ())
        found = next((row["pods"] for row in rows if row["workload"] == workload), None)
        if found is not None:
            return found
        own = self.ends.get(workload)
        return 0 if own is None else own["at_start"]

    def waiting(self, workload: str) -> int:
        """Return how many pods of a workload are without a node in the end."""
        end = self.ends.get(workload)
        return 0 if end is None else end["pods"] - end["running"]

    def waiting_without_edits(self, workload: str) -> int:
        """Return how many of them the run without edits leaves without a node."""
        rows = () if self.against is None else self.against.get("ends", ())
        return sum(row["pods"] - row["running"] for row in rows if row["workload"] == workload)

    def workload(self, key: str) -> Name:
        """Return the name of a workload; it leads to the snapshot's page where the snapshot has it."""
        end = self.ends.get(key)
        there = end is not None and end["at_start"] > 0
        return workload(key, Place(snapshot=self.snapshot) if there else None)

    def node(self, name: str) -> Name:
        """Return the name of a node, which leads to its life in the run."""
        return Name("node", name, at=Place(run=self.run))

    def counted(self, counts: Mapping[str, int], listed: int = LISTED) -> Sentence:
        """Return workloads with how many of their pods: `media/encoder ×10 and 3 others ×9`."""
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        parts: list[Sentence] = [
            sentence(self.workload(key), " ", times(pods)) for key, pods in ranked[:listed]
        ]
        if others := ranked[listed:]:
            rest = sum(pods for _, pods in others)
            parts.append(sentence(number(len(others), "other"), " ", times(rest)))
        return joined(parts)


def workload(key: str, at: Place | None = None) -> Name:
    """Return the name of `Kind/namespace/name`, as readers call it."""
    kind, _, rest = key.partition("/")
    if kind == "PodGroup":
        rest = job_name(key).partition("/")[2]
    namespace, _, name = rest.partition("/")
    if not name:
        return Name("workload", key, at=at)
    is_job = kind == "PodGroup"
    return Name(
        "workload", name, namespace, of="" if is_job else kind, at=None if is_job or kind == "Pod" else at
    )


def names(found: Iterable[Name], listed: int = LISTED) -> Names:
    """Return names as a part of a sentence, the first few of them."""
    everyone = list(found)
    return Names(everyone[:listed], max(0, len(everyone) - listed))


def joined(parts: Sequence[Sentence]) -> Sentence:
    """Return sentences as a list in a sentence: `a, b and c`."""
    found: Sentence = []
    for at, part in enumerate(parts):
        last = at == len(parts) - 1
        found += sentence("" if not at else " and " if last else ", ", part)
    return found
