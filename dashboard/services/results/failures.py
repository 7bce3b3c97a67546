"""Why pods of a run are pending at its end: what each was last told, equal reasons folded."""

from collections.abc import Callable, Collection, Iterable

from django.utils.text import capfirst

from dashboard.pod_names import pod_name
from dashboard.queries.passed_over import PassedOver
from dashboard.shapes.outcome import Failure, FirstUnschedulable
from scheduler_core.events.decisions import Attempt, Completion, Decision
from scheduler_core.events.sessions import Placement, SessionClosed
from scheduler_core.events.state import PodRow

HELD = "Not tried: waits until its scheduling gates are removed."
PASSED_OVER = "Passed over, since the first pod of its task was refused: {}"
LISTED_PODS = 20


class Failures:
    """What pods without a node were told last, by uid, while the decisions go by."""

    def __init__(self) -> None:
        self.first: FirstUnschedulable | None = None
        self._last: dict[str, tuple[int, str]] = {}
        self._passed_over = PassedOver()

    def __contains__(self, pod: str) -> bool:
        return pod in self._last

    def add(self, decision: Decision) -> None:
        """Note a failed try at a pod, and what a session tells the pods that go on waiting."""
        self._passed_over.add(decision)
        match decision:
            case Attempt(outcome=outcome) if outcome != "scheduled":
                self._tell(decision.pod.uid, decision.seq, decision.message)
                if outcome == "unschedulable":
                    self._note_first(decision)
            case Placement(outcome="refused"):
                self._tell(decision.pod.uid, decision.seq, decision.message)
                self._note_first(decision)
            case Completion(outcome="returned", exchanges=exchanges) if exchanges:
                self._tell(decision.pod.uid, decision.seq, exchanges[-1].error)
            case SessionClosed():
                for told in decision.messages:
                    self._tell(told.pod.uid, decision.seq, told.message)

    def _tell(self, pod: str, seq: int, message: str | None) -> None:
        self._last[pod] = seq, message or ""

    def _note_first(self, decision: Attempt | Placement) -> None:
        if self.first is None:
            pod, message = decision.pod, decision.message
            self.first = {"seq": decision.seq, "pod": pod_name(pod), "uid": pod.uid, "message": message}

    def forget(self, pod: str) -> None:
        """Forget what a pod was told that has a node now."""
        self._last.pop(pod, None)

    def folded(
        self, pending: Iterable[PodRow], gated: Collection[str], why_unasked: Callable[[PodRow], str]
    ) -> list[Failure]:
        """Return why these pods are pending, the most frequent reason first; of each the first LISTED_PODS.

        gated: the uids of pods that gates hold back. why_unasked: says why no scheduler looks at a pod.
        """
        reasons: list[tuple[PodRow, int | None, str]] = []
        for pod in pending:
            if unasked := why_unasked(pod):
                reasons.append((pod, None, f"{capfirst(unasked)}."))
            elif pod.uid in self._last:
                reasons.append((pod, *self._told(pod)))
            elif pod.uid in gated:
                reasons.append((pod, None, HELD))
        folded: dict[str, Failure] = {}
        for pod, seq, message in sorted(reasons, key=lambda reason: (reason[1] or 0, reason[2])):
            row = folded.setdefault(message, {"message": message, "count": 0, "seq": seq, "pods": []})
            row["count"] += 1
            if len(row["pods"]) < LISTED_PODS:
                row["pods"].append({"pod": pod_name(pod), "uid": pod.uid, "seq": seq})
        return sorted(folded.values(), key=lambda row: (-row["count"], row["seq"] or 0))

    def _told(self, pod: PodRow) -> tuple[int, str]:
        """Return what a pod was last told, and by which decision; of one passed over, what the first was."""
        seq, message = self._last[pod.uid]
        first = self._passed_over.first(pod.uid, message)
        return seq, PASSED_OVER.format(first.message) if first is not None else message
