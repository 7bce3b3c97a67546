"""Recorded cases of kube-scheduler 1.8 to 1.13: their drivers, and their format of an attempt.

Source: docs/verification.md; the drivers `single`, `priority`, `fifo` and `grace` of the recordings.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from recorded.kube.cycles import candidates_of, key_of
from scheduler_core.events.explanation import DryRun
from scheduler_core.kube.attempt_by_node import attempt_in_full
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.kind import KIND
from scheduler_core.kube.releases.accounting import accounting_of
from scheduler_core.kube.schedule_one import Settings
from scheduler_core.kube.scheduler import KubeScheduler
from scheduler_core.kube.tie_breaking import first
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.state.build import build_state
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.setting_up.arrangements import bare_world
from scheduler_core.world.unclocked.world import World

_DRIVERS = {"single": "instant", "priority": "instant", "fifo": "fifo", "grace": "grace"}
"""The recordings' names of the drivers."""
_WITH_PARTS = "filter_score"
"""The family whose cases hold every priority function's scores."""


def play(case: Mapping[str, Any], release: str) -> dict[str, Any]:
    """Play a recorded case of a release: its cycles, and the final state unless each pod is tried alone.

    Raises BadInput where the case cannot be run.
    """
    objects, _ = KIND.versions[f"kube-{release}"].read(case["cluster"]["items"])
    built = build_state(objects, accounting_of(release))
    world = _world(built.state, release, case.get("driver"), case.get("config"))
    (scheduler,) = world.schedulers
    assert isinstance(scheduler, KubeScheduler)
    entering = _entering(built.state, built.pending, case.get("schedule") or [])
    scheduler.admit(built.pending, entering)
    with_parts = case.get("family") == _WITH_PARTS
    if case.get("driver") == "single":
        return {"cycles": [_tried_alone(scheduler, pod, with_parts) for pod in entering]}
    cycles: list[dict[str, Any]] = []
    while (turn := world.look()) is not None:
        cycles.append(release_cycle(turn.look.result, with_parts=with_parts))
        world.apply(turn)
    return {"cycles": cycles, "final": _final(built.state, built.pending)}


def _final(state: ClusterState, pending: Sequence[int]) -> dict[str, Any]:
    infos, names = state.pods.infos, state.nodes.names
    on_node = {pod: int(state.pod_node[pod]) for pod in pending}
    return {
        "placed": {infos[pod].key: names[node] for pod, node in on_node.items() if node >= 0},
        "evicted": [infos[pod].key for pod in sorted(state.gone.values, key=state.gone.values.__getitem__)],
        "pending": {
            infos[pod].key: state.nominated[pod]
            for pod, node in on_node.items()
            if node < 0 and pod not in state.gone.values
        },
    }


def _world(state: ClusterState, release: str, name: Any, config: Mapping[str, Any] | None) -> World:
    if name not in _DRIVERS:
        raise BadInput([Problem("case", "driver", f"{name!r} is not supported yet")])
    version = KIND.versions[f"kube-{release}"]
    settings = Settings(
        engine=f"kube-{release}",
        attempt=version.attempt,
        nomination_of=version.nomination_of,
        by_priority=name != "fifo",
    )
    profiles = version.build(config)
    return bare_world(state, profiles, _DRIVERS[name], settings)


def _entering(state: ClusterState, pending: Sequence[int], schedule: Sequence[str]) -> list[int]:
    by_key = {state.pods.infos[pod].key: pod for pod in pending}
    missing = [key for key in schedule if key not in by_key]
    if missing:
        raise BadInput([Problem("case", "schedule", f"no pending pod {missing[0]}")])
    return [by_key[key] for key in schedule]


def _tried_alone(scheduler: KubeScheduler, pod: int, with_parts: bool) -> dict[str, Any]:
    info = scheduler.state.pods.infos[pod]
    profile = scheduler.profiles[info.scheduler_name]
    result = scheduler.settings.attempt(profile, scheduler.state, info, first, 0)
    return release_cycle(result, with_parts=with_parts)


# -- the format --------------------------------------------------------------------------------------


def release_cycle(result: AttemptResult, *, with_parts: bool = False) -> dict[str, Any]:
    """Return one attempt in the recorded format of the releases before the framework."""
    attempt = attempt_in_full(result, 0, "")
    cycle: dict[str, Any] = {
        "pod": key_of(attempt.pod),
        "result": attempt.outcome,
        "failed_predicates": {
            node: sorted(status.reasons) for node, status in attempt.filter.items() if status is not None
        },
    }
    if attempt.chosen is None:
        preemption = None if attempt.dry_run is None else _preemption(attempt.dry_run)
        return cycle | {"message": attempt.message, "preemption": preemption}
    if attempt.scores:
        cycle["scores"] = {node: scores.total for node, scores in attempt.scores.items()}
        if with_parts:
            cycle["score_parts"] = {
                score.plugin: dict(zip(attempt.scores, score.normalized.tolist(), strict=True))
                for score in result.scores
            }
    return cycle | {"best": attempt.best, "chosen": attempt.chosen}


def _preemption(dry_run: DryRun) -> dict[str, Any]:
    return {
        "eligible": dry_run.eligible,
        "potential_nodes": sorted([*dry_run.candidates, *dry_run.not_candidates]),
        "candidates": candidates_of(dry_run),
        "best": dry_run.best,
        "nominated": dry_run.nominated,
        "victims": [key_of(pod) for pod in dry_run.victims],
        "nominated_to_clear": sorted(key_of(pod) for pod in dry_run.cleared),
    }
