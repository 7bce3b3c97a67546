"""Asks what would come of applying a manifest to a snapshot's cluster. No scenario is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dashboard.answers.preflight import Preflight
from dashboard.answers.preflight_basis import with_source, without_hooks, without_secrets
from dashboard.engine import input_without_objects
from dashboard.models import Scenario, Snapshot
from dashboard.queries.cluster_release import cluster_release
from dashboard.services.questions import stored_questions, would_fit
from dashboard.services.questions.of_snapshot import SnapshotQuestion
from dashboard.services.questions.preflight import KIND
from dashboard.services.questions.stored_questions import Told
from dashboard.services.workspace.scenarios import NAME_LENGTH, create_scenario, draft_scenario
from dashboard.services.workspace.suggesting import suggest
from scheduler_core.objects.api_server.served_versions import not_served
from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.problems import BadInput, Problem, within
from scheduler_core.world.edits.helm_hooks import LeftOut, in_stages
from scheduler_core.world.edits.manifests import in_order, makes_pods, read_to_apply
from scheduler_core.world.edits.named_schedulers import schedulers_named
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.trials.warm_world import adding

Object = dict[str, Any]


@dataclass(frozen=True)
class Manifest:
    """What is about to be applied: its objects, without what must not be stored, and who schedules.

    profile: empty for the cluster's own schedulers. played: all else that decides. secrets: how many Secrets
    are left out. before: objects that are made before all others; what makes pods there is done by then.
    left_out: those that an install doesn't make.
    """

    snapshot: Snapshot
    documents: list[Object]
    profile: str
    played: RunInput
    secrets: int = 0
    before: list[Object] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    @property
    def asked(self) -> Object:
        """The question to a worker."""
        return {"objects": self.documents, **({"before": self.before} if self.before else {})}

    def told(self, wait: float, *, again: bool = False) -> Told[Preflight]:
        """Return what is known of the answer by now, waiting so many seconds for it."""
        told = stored_questions.ask(KIND, self.snapshot, self.played, self.asked, wait, again=again)
        if told.answer is None:
            return told
        answer = without_hooks(without_secrets(told.answer, self.secrets), self.left_out)
        if not self.profile:
            source = suggest(self.snapshot, named=schedulers_named([adding(self.documents)])).in_answer
            answer = with_source(answer, source)
        return replace(told, answer=answer)

    def end(self) -> None:
        """Let it end where nobody has answered yet."""
        stored_questions.end(KIND, self.snapshot, self.played, self.asked)

    def fitting(self, workload: str) -> SnapshotQuestion:
        """Return the question what would make a workload of it fit. Raises BadInput as `fitting_of`."""
        return fitting_of(self.documents, workload, self.played, self.before)

    def scenario(self, user: Any, edits: list[Object]) -> Scenario:
        """Make a scenario with the manifest and these edits after it. Raises BadInput."""
        named = {"profile": self.profile} if self.profile else {}
        name = f"{self.snapshot.name}: does it fit?"[:NAME_LENGTH]
        added = [adding([one]) for one in self.documents]
        fields = {"snapshot": self.snapshot, "name": name, "edits": [*added, *edits], **named}
        return create_scenario(user, fields)


def read_preflight(snapshot: Snapshot, manifest: str, *, namespace: str = "", profile: str = "") -> Manifest:
    """Read a manifest that is about to be applied. Raises BadInput with all that is wrong with it.

    What the cluster's release does not serve is wrong, too. namespace: of objects that name none. profile:
    who schedules; empty for the cluster's own.
    """
    with within("manifest"):
        read = read_to_apply(manifest.encode(), namespace)
        require_served(snapshot, read.objects)
    stages = in_stages(read.objects)
    documents, _ = withhold_private(in_order(stages.objects))
    before, _ = withhold_private(in_order(stages.before))
    named = {"profile": profile} if profile else {}
    draft = draft_scenario({"snapshot": snapshot, "edits": [adding(documents)] if documents else [], **named})
    played = input_without_objects(draft)
    return Manifest(snapshot, documents, profile, played, read.secrets, before, stages.left_out)


def require_served(snapshot: Snapshot, documents: Iterable[Object]) -> None:
    """Let objects be such as the cluster's API server serves, where its release is told. Raises BadInput."""
    told = cluster_release(snapshot)
    if told is None:
        return
    source = f"{told.source[:1].lower()}{told.source[1:]}"
    problems = [
        Problem(object_name(one), "apiVersion", f"{why}; {source}")
        for one in documents
        if (why := not_served(one, told.release, at_least=told.is_least))
    ]
    if problems:
        raise BadInput(problems)


def fitting_of(
    documents: list[Object], workload: str, played: RunInput | None = None, before: Sequence[Object] = ()
) -> SnapshotQuestion:
    """Return the question what would make a workload, `Kind/namespace/name`, fit once all is applied.

    workload: may be empty where the objects have but one. One of those `before` all others fits without them.
    Raises BadInput for one that there is not.
    """
    first = {_key(one): one for one in before if makes_pods(one)}
    names = [*(_key(one) for one in documents if makes_pods(one)), *first]
    named = workload or (names[0] if len(names) == 1 else "")
    if named not in names:
        known = ", ".join(names) or "none: nothing in it makes pods"
        raise BadInput([Problem("manifest", "workload", f"must be one of its workloads: {known}")])
    if named in first:
        documents = [*(one for one in before if not makes_pods(one)), first[named]]
    return SnapshotQuestion(would_fit.KIND, {"objects": documents, "workload": named}, named, played)


def _key(document: Object) -> str:
    return f"{document['kind']}/{namespace_of(document)}/{name_of(document)}"


def asked_preflight(
    snapshot: Snapshot, manifest: str, wait: float, *, namespace: str = "", profile: str = ""
) -> Told[Preflight]:
    """Ask it, waiting so many seconds for the answer. Raises BadInput as `read_preflight`."""
    return read_preflight(snapshot, manifest, namespace=namespace, profile=profile).told(wait)
