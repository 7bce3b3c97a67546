"""Preflight: what would come of applying a manifest to a cluster that is held ready. Nothing is stored.

Every object is an edit `add` of its own, tried on the warm world: a run with these edits says the same. What
the cluster would not let in is told, and the rest is tried without it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dashboard.answers import pods_added
from dashboard.answers.ended_run import EndedRun
from dashboard.answers.landing import Landing, landing_tables
from dashboard.answers.preflight import (
    Checked,
    Preflight,
    answer_of_preflight,
    binds,
    checked,
    pod_there,
    told,
    unknown,
)
from dashboard.answers.preflight_basis import (
    not_scaled,
    pods_may_be_refused,
    tried_at_once,
    without_namespace,
)
from dashboard.answers.preflight_stages import with_hooks_before
from dashboard.answers.rests_on import about_release
from dashboard.services.results.autoscaled import Bounds
from dashboard.services.results.counted import Counted, count
from dashboard.services.results.doubts import Doubts
from dashboard.services.results.landing import Landings
from dashboard.services.results.limited_objects import Limited, limited, over_quota
from dashboard.shapes.outcome import Figures
from scheduler_core.events.decisions import Decision
from scheduler_core.objects.api_server.generated_names import beginning_of_name, with_name
from scheduler_core.objects.identity import labels_of, name_of, namespace_of, uid_of
from scheduler_core.objects.kinds import NAMESPACE, NODE, POD, kind_of
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.registry import kinds, pod_makers
from scheduler_core.world.edits.applying import faults_of_pod_update
from scheduler_core.world.edits.helm_hooks import is_made_last
from scheduler_core.world.edits.manifests import (
    makes_pods,
    may_make_pods,
    pods_wanted,
    refused,
    specs_of,
    without_pods,
)
from scheduler_core.world.edits.places import key_of
from scheduler_core.world.trials.playing import Stop, Watch, never, unwatched
from scheduler_core.world.trials.warm_world import WarmWorld, adding

Object = dict[str, Any]

_ENFORCED, _OPEN = "pod-security.kubernetes.io/enforce", "privileged"


@dataclass
class _Tried:
    """The objects of a manifest that are let in, as edits, and why the others are not, by their place.

    replicas: how many pods there are of a workload that wants more.
    """

    documents: list[Object]
    refused: dict[int, list[Problem]] = field(default_factory=dict)
    replicas: dict[int, int] = field(default_factory=dict)

    @property
    def live(self) -> list[int]:
        return [place for place in range(len(self.documents)) if place not in self.refused]

    @property
    def edits(self) -> list[Object]:
        return [adding([self.documents[place]], self.replicas.get(place)) for place in self.live]

    def refuse(self, error: BadInput) -> None:
        """Leave out what is refused. Raises the error where that is none of the objects."""
        found = refused(error.problems)
        if not found:
            raise error
        live = self.live
        self.refused |= {live[number]: problems for number, problems in found.items()}


def baseline(world: WarmWorld, watch: Watch = unwatched, stop: Stop = never) -> Counted:
    """Return what comes of the cluster without any manifest: it is subtracted."""
    with world.begun([]) as simulation:
        return count(simulation, [], known=None, watch=watch, stop=stop)


def preflight(
    world: WarmWorld,
    documents: Sequence[Object],
    against: Counted,
    watch: Watch = unwatched,
    stop: Stop = never,
) -> Preflight:
    """Return what would come of applying the objects of a manifest, in order; `against` is the baseline.

    `watch` is told of each decision; it ends where `stop` says so, and then means nothing. Raises BadInput
    where a run with them could not begin.
    """
    there = _there(world, documents)
    fixed = {place: faults_of_pod_update(pod, documents[place]) for place, pod in there.items()}
    limits = limited(world.objects, documents)
    tried = _Tried(
        list(documents),
        {place: faults for place, faults in fixed.items() if faults} | limits.refused,
        {place: pods for place, (pods, _) in limits.smaller.items()},
    )
    uids = {place: uid_of(pod) for place, pod in there.items()}
    counted, landed, stay, unmade = _count(world, tried, against, watch, stop, uids.values())
    if _refuse_over_quota(world, tried, counted):
        counted, landed, stay, unmade = _count(world, tried, against, watch, stop, uids.values())
    nodes = {"", *_nodes(world, tried)}
    landed = [one if one.node in nodes else one._replace(node="") for one in landed]
    asked = EndedRun(
        run=None,
        snapshot=None,
        status="finished",
        attempt_limit=world.run_input.attempt_limit,
        edits=tried.edits,
        results=counted.results,
        trust=counted.trust,
        figures=counted.figures,
        against=against.figures,
        by="the manifest",
        profile=world.run_input.profile,
    )
    keys = _keys(tried, counted)
    kept = {keys[place]: uid in stay and place in tried.live for place, uid in uids.items()}
    workloads = [
        pod_there(one, runs=kept[one.key]) if one.key in kept else one
        for one in _workloads(world, tried, asked, counted, keys, unmade, limits)
    ]
    _name_jobs(counted.figures, workloads)
    live = [tried.documents[place] for place in tried.live]
    others = [one for one in live if not makes_pods(one) and not may_make_pods(one)]
    kept_out = {keys[place]: found for place, found in tried.refused.items()}
    answer = answer_of_preflight(asked, workloads, len(others), kept_out)
    answer = msgspec.structs.replace(
        answer,
        tables=[*landing_tables(landed), *answer.tables],
        trust=[
            *without_namespace(_lost_namespaces(world, tried)),
            *pods_may_be_refused(_enforced(world, live)),
            *tried_at_once(_hooks_at_once(tried, keys, workloads)),
            *not_scaled(Bounds(world.objects, live).of_others()),
            *answer.trust,
        ],
    )
    return Preflight(
        answer=answer,
        workloads=[told(asked, one) for one in workloads],
        evicted=max(0, _evicted(counted) - _evicted(against)),
        violated=max(0, _violated(counted) - _violated(against)),
        crosses_limit=_is_refused(tried, workloads, keys) or any(one.refused for one in workloads),
        is_doubtful=len(answer.trust) > len(about_release(counted.trust, asked.profile)),
        binds=binds(asked, workloads),
    )


def preflight_in_stages(
    world: WarmWorld,
    documents: Sequence[Object],
    before: Sequence[Object],
    against: Counted,
    watch: Watch = unwatched,
    stop: Stop = never,
) -> Preflight:
    """Return the same where some objects come `before` all others, one after the other, and are done by then.

    Each of them that makes pods is tried alone, with those that make none.
    """
    others = [one for one in before if not makes_pods(one)]
    hooks = [one for one in before if makes_pods(one)]
    first = [preflight(world, [*others, one], against, watch, stop) for one in hooks]
    return with_hooks_before(preflight(world, documents, against, watch, stop), first)


def _count(
    world: WarmWorld,
    tried: _Tried,
    against: Counted,
    watch: Watch,
    stop: Stop,
    there: Iterable[str],
) -> tuple[Counted, list[Landing], frozenset[str], dict[str, list[str]]]:
    """Return what it came to, where new pods land, and which of the pods that are `there` stay on a node.

    At last, by workload, why the API server refuses pods that controllers of other schedulers would make.
    """
    known = frozenset(world.simulation.cluster.pods.by_uid)
    while True:
        try:
            with world.begun(tried.edits) as simulation:
                landings = Landings(simulation, known)
                unmade: dict[str, list[str]] = {}

                def hear(
                    decision: Decision, landings: Landings = landings, unmade: dict[str, list[str]] = unmade
                ) -> None:
                    landings.hear(decision)
                    unmade.update(filter(None, (one.pods_not_made(decision) for one in kinds().values())))
                    watch(decision)

                counted = count(
                    simulation,
                    tried.edits,
                    known=against.pending,
                    watch=hear,
                    stop=stop,
                    with_jobs=True,
                    with_unserved=True,
                )
                return counted, landings.found(), landings.stay(there), unmade
        except BadInput as error:
            tried.refuse(error)


def _refuse_over_quota(world: WarmWorld, tried: _Tried, counted: Counted) -> bool:
    """Refuse what got pods that quotas refuse, where a run counts no quotas; return whether there is some."""
    keys = _keys(tried, counted)
    with_pods = {row["workload"] for row in counted.figures["ends"] if row["pods"]}
    makers = [
        at for at in tried.live if kind_of(tried.documents[at]) in pod_makers() and keys[at] in with_pods
    ]
    found = {at: over_quota(world.objects, tried.documents[at]) for at in makers}
    tried.refused |= (over := {at: problems for at, problems in found.items() if problems})
    return bool(over)


def _keys(tried: _Tried, counted: Counted) -> list[str]:
    """Return how each object is called, `Kind/namespace/name`; what has a `generateName` as it was named."""
    beginnings = ((one, beginning_of_name(one)) for one in tried.documents)
    keys = [key_of(with_name(one, beginning) if beginning else one) for one, beginning in beginnings]
    for place, result in zip(tried.live, counted.results, strict=True):
        keys[place] = next(iter(result.get("objects", ())), keys[place])
    return keys


def _workloads(
    world: WarmWorld,
    tried: _Tried,
    asked: EndedRun,
    counted: Counted,
    keys: Sequence[str],
    unmade: Mapping[str, list[str]],
    limits: Limited,
) -> list[Checked]:
    """Return what became of each workload; pods that name a group are told together, as their group."""
    wanted: dict[str, int] = {}
    nowhere: Counter[str] = Counter()
    nodes = _nodes(world, tried)
    reasons: dict[str, list[str]] = {}
    doubts: dict[str, list[str]] = {}
    idle: dict[str, str] = {}
    notes: dict[str, list[str]] = {}
    bounds = Bounds(world.objects, [tried.documents[place] for place in tried.live])
    known = Doubts(world.objects, tried.documents, world.run_input)
    problems = dict(zip(tried.live, (result["problems"] for result in counted.results), strict=True))
    for place, document in enumerate(tried.documents):
        if not makes_pods(document):
            continue
        key = counted.groups.get(keys[place], keys[place])
        doubts[key] = [*doubts.get(key, ()), *known.of(document)]
        bounded = bounds.of(document)
        notes[key] = [*notes.get(key, ()), *bounded.notes, *known.missing(document)]
        number = pods_wanted(bounded.document, world.run_input.objects)
        wanted[key] = wanted.get(key, 0) + number
        pinned = [name for spec in specs_of(document) if (name := spec.get("nodeName"))]
        lost = [name for name in pinned if name not in nodes]
        idle[key] = without_pods(document)
        nowhere[key] += number if pinned else 0
        found = [_said(problem) for problem in tried.refused.get(place, ())]
        reasons[key] = [*reasons.get(key, ()), *found, *problems.get(place, ())]
        reasons[key] += [f"There is no node {name}" for name in lost]
        reasons[key] += [said for _, said in filter(None, [limits.smaller.get(place)])]
        if key in unmade and sum(row["pods"] for row in pods_added.rows_of(asked, key)) < number:
            reasons[key] += unmade[key]
    return [
        *(
            checked(
                asked, key, number, reasons[key], counted.unplayed.get(key, 0), nowhere[key], doubts[key]
            )._replace(idle=idle[key], notes=notes[key])
            for key, number in wanted.items()
        ),
        *(unknown(key) for key, one in zip(keys, tried.documents, strict=True) if may_make_pods(one)),
    ]


def _there(world: WarmWorld, documents: Sequence[Object]) -> dict[int, Object]:
    """Return by their place the pods of the manifest that the cluster has already, as it has them."""
    pods = {place: one for place, one in enumerate(documents) if kind_of(one) == POD and name_of(one)}
    found = {place: world.objects.find(POD, namespace_of(one), name_of(one)) for place, one in pods.items()}
    return {place: bearers[-1] for place, bearers in found.items() if bearers}


def _name_jobs(figures: Figures, workloads: Sequence[Checked]) -> None:
    """Say why jobs of the manifest without pods wait, as of their pods; leave out those of others."""
    waiting = {row["workload"]: row["pending"] for one in workloads for row in one.ends}
    for row in figures.get("whys", ()):
        if not row["workloads"] and (pods := waiting.get(f"PodGroup/{row['group']}")):
            row["workloads"] = {f"PodGroup/{row['group']}": pods}
    if "whys" in figures:
        figures["whys"] = [row for row in figures["whys"] if row["workloads"]]


def _is_refused(tried: _Tried, workloads: Sequence[Checked], keys: Sequence[str]) -> bool:
    """Return whether an object is refused of which that is sure."""
    unsure = {one.key for one in workloads if one.doubts}
    return any(keys[place] not in unsure for place in tried.refused)


def _hooks_at_once(tried: _Tried, keys: Sequence[str], workloads: Sequence[Checked]) -> int:
    """Return how many of Helm's last hooks were tried together; 0 where none of them lacks a node."""
    last = {keys[place] for place in tried.live if is_made_last(tried.documents[place])}
    return len(last) if any(one.waiting for one in workloads if one.key in last) else 0


def _nodes(world: WarmWorld, tried: _Tried) -> set[str]:
    """Return the names of all nodes, also of those that come with the manifest."""
    return {name_of(one) for one in (*world.objects.of_kind(NODE), *tried.documents) if kind_of(one) == NODE}


def _lost_namespaces(world: WarmWorld, tried: _Tried) -> list[str]:
    """Return the namespaces of the manifest that the cluster has not, where it is known which it has."""
    known = {name_of(one) for one in world.objects.of_kind(NAMESPACE)}
    if not known:
        return []
    known |= {"default", *(name_of(one) for one in tried.documents if kind_of(one) == NAMESPACE)}
    named = (one["metadata"].get("namespace") for one in tried.documents)
    return sorted({name for name in named if name} - known)


def _enforced(world: WarmWorld, live: Sequence[Object]) -> dict[str, str]:
    """Return the Pod Security Standards that namespaces enforce in which pods are made, but for `privileged`.

    Source: k8s.io/pod-security-admission v0.36 api/constants.go.
    """
    spaces = {name_of(one): one for one in world.objects.of_kind(NAMESPACE)}
    spaces |= {name_of(one): one for one in live if kind_of(one) == NAMESPACE}
    used = {namespace_of(one) for one in live if makes_pods(one)}
    levels = {name: labels_of(one).get(_ENFORCED, _OPEN) for name, one in spaces.items() if name in used}
    return {name: level for name, level in levels.items() if level != _OPEN}


def _said(problem: Problem) -> str:
    return ": ".join(filter(None, (problem.field.removeprefix("manifest").strip(". "), problem.message)))


def _evicted(counted: Counted) -> int:
    flows: Sequence[Mapping[str, Any]] = counted.figures.get("flows", ())
    return sum(flow["pods"] for flow in flows if flow["by"])


def _violated(counted: Counted) -> int:
    return len(counted.figures["budgets_violated"])
