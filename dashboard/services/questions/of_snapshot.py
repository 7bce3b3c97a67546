"""Questions about a snapshot's cluster as it stands, under the schedulers that a new scenario would take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dashboard.answers.answer import Answer
from dashboard.answers.more_fit import more_fit as more_fit_answer
from dashboard.answers.would_fit import would_fit as would_fit_answer
from dashboard.engine import input_of_run
from dashboard.errors import NoSuchPod
from dashboard.models import Pod, Run, Snapshot
from dashboard.queries.pending import PENDING
from dashboard.queries.replay import require_stored
from dashboard.queries.resuming import require_same_engine
from dashboard.services.questions import devices, more_fit, other_amounts, would_fit
from dashboard.services.questions.kind import QuestionKind
from dashboard.services.questions.own_shapes import read_shape
from dashboard.services.questions.stored_questions import Told, ask, end
from dashboard.services.workspace.scenarios import cluster_as_it_stands
from scheduler_core.objects.kinds import POD_GROUP
from scheduler_core.world.fitting.results import Fitting
from scheduler_core.world.headroom.results import Headroom
from scheduler_core.world.run_input import RunInput

_PATIENCE_SECONDS = 1.5
"""So long an answer about devices is waited for."""


class SnapshotQuestion(NamedTuple):
    """A question as it is asked of a snapshot: its kind, what is asked, and whom it is about in words.

    played: under which settings; None for those of a new scenario.
    """

    kind: QuestionKind[Any]
    of: dict[str, Any]
    name: str = ""
    played: RunInput | None = None

    def told(self, snapshot: Snapshot, wait: float = 0.0, *, again: bool = False) -> Told[Any]:
        """Return what is known of the answer by now, waiting so many seconds for it. Raises BadInput."""
        return ask(self.kind, snapshot, self._settled(snapshot), self.of, wait, again=again)

    def end(self, snapshot: Snapshot) -> None:
        """Let it end. Raises BadInput."""
        end(self.kind, snapshot, self._settled(snapshot), self.of)

    def answer(self, found: Fitting | Headroom) -> Answer:
        """Return what was found in sentences."""
        if isinstance(found, Fitting):
            return would_fit_answer(found, self.name)
        return more_fit_answer(found, asked="shapes" in self.of)

    def _settled(self, snapshot: Snapshot) -> RunInput:
        if self.played is not None:
            return self.played
        # More pods of a workload are asked about that runs: its scheduler may have none that waits.
        return cluster_as_it_stands(snapshot, moving=self.kind is more_fit.KIND)


def devices_asked(snapshot: Snapshot, pod: str, node: str) -> Told[devices.OnNode]:
    """Return what comes of each device of a node for a pod (uid), as far as that is known by now."""
    return SnapshotQuestion(devices.KIND, {"pod": pod, "node": node}).told(snapshot, _PATIENCE_SECONDS)


def fitting_asked(
    snapshot: Snapshot, *, pod: str = "", workload: str = "", job: str = "", others: bool = False
) -> SnapshotQuestion:
    """Return the question what would make the pods fit that wait of a pod, a workload or a job.

    pod: `namespace/name` or uid. workload: `Kind/namespace/name`. job: a pod group, `namespace/name`; it may
    be named as a workload, too. others: many other pods that wait take part, too.
    Raises NoSuchPod where none of it waits.
    """
    kind, _, group = workload.partition("/")
    if kind.partition(".")[0] == POD_GROUP.name:
        workload, job = "", group
    rows = list(Pod.objects.filter(PENDING, snapshot=snapshot, **_named(pod, workload, job)).order_by("pk"))
    if not rows:
        raise NoSuchPod(f"No pod of {pod or workload or job} waits.")
    first = rows[0]
    name = (
        first.workload if workload or (job and first.workload) else job or f"{first.namespace}/{first.name}"
    )
    asked: dict[str, Any] = {"pods": [row.uid for row in rows]}
    return SnapshotQuestion(would_fit.KIND, {**asked, "others": True} if others else asked, name)


def _named(pod: str, workload: str, job: str) -> dict[str, str]:
    if workload:
        return {"workload": workload}
    if job:
        return {"group": job}
    namespace, slash, name = pod.partition("/")
    return {"namespace": namespace, "name": name} if slash else {"uid": pod}


def headroom_asked(
    workloads: Sequence[str], most: int, *, own: Sequence[str] = (), at: tuple[Run, int] | None = None
) -> SnapshotQuestion:
    """Return the question how many more fit of workloads and own shapes; of usual ones if none is named.

    own: shapes as `read_shape` reads them. at: a run and one of its decisions, after which it is asked.
    Raises BadInput, and NoSuchDecision, NotYet and RecordedByOtherEngine for a decision of which nothing can
    be said.
    """
    shapes = [*({"workload": name} for name in workloads), *map(read_shape, own)]
    asked: dict[str, Any] = {"shapes": shapes} if shapes else {}
    asked["most"] = most
    return _after(at, more_fit.KIND, asked)


def other_amounts_asked(
    workload: str, most: int, *, own: str = "", at: tuple[Run, int] | None = None
) -> SnapshotQuestion:
    """Return the question how many more of a workload, or of a shape, fit if it asks for other amounts.

    Raises as `headroom_asked` does.
    """
    shape = read_shape(own) if own else {"workload": workload}
    return _after(at, other_amounts.KIND, {"shape": shape, "most": most})


def _after(at: tuple[Run, int] | None, kind: QuestionKind[Any], asked: dict[str, Any]) -> SnapshotQuestion:
    """Return a question as it is asked after a decision of a run."""
    if at is None:
        return SnapshotQuestion(kind, asked)
    run, decision = at
    require_same_engine(run)
    if decision:
        require_stored(run, decision)
    asked = asked | {"run": run.pk, "made": run.created_at.isoformat(), "decision": decision}
    return SnapshotQuestion(kind, asked, played=input_of_run(run))
