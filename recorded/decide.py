"""`python -m scheduler_core decide`: recorded cases in, decisions in the recorded format out.

One JSON case a line; one `{"id": ..., "expect": ...}` a line, in the same order, or `{"id": ..., "error":
...}` for a case that cannot be run. The engine, the driver and the stream of events are those of a run.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from recorded.extender_tables import Table, tables_of
from recorded.hami import extender_cases
from recorded.kube import group_cases, queue_cases, release_cases, release_queue_cases, timed_cases
from recorded.kube.claims import allocations_of, fields_of_claims
from recorded.kube.cycles import cycle_of
from recorded.volcano import controller_cases, session_cases
from scheduler_core.kube.attempt_by_node import in_full
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.equivalence.cache import Keeping
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.gates import DEFAULT_GATES, Gates, read_gates
from scheduler_core.kube.kind import PLAYS_CLAIMS
from scheduler_core.kube.look import Look, Looked
from scheduler_core.kube.release import Release
from scheduler_core.kube.releases.table import RELEASES
from scheduler_core.kube.sampling import ALL_NODES
from scheduler_core.kube.schedule_one import Settings
from scheduler_core.kube.scheduler import KubeScheduler
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.json_text import MAX_DEPTH, decode_json
from scheduler_core.state.build import build_state
from scheduler_core.world.setting_up.arrangements import bare_world
from scheduler_core.world.unclocked.world import Turn, World

MAX_CASE_DEPTH = MAX_DEPTH + 3
"""A case has its objects in `cluster.items`."""
_ENGINE = "kube-scheduler v"
_VOLCANO = "volcano v1.16"
_HAMI = "HAMi v2.10"
_QUEUE, _TIMED = "queue", "timed"


def decide_line(line: bytes | str) -> dict[str, Any]:
    """Answer one case, given as a line of JSON."""
    case_id: Any = None
    try:
        case = decode_json(line.encode() if isinstance(line, str) else line, MAX_CASE_DEPTH)
        case_id = case.get("id") if isinstance(case, dict) else None
        return {"id": case_id, "expect": decide(case)}
    except BadInput as error:
        return {"id": case_id, "error": str(error)}
    except Exception as error:  # a case never takes the others down with it
        return {"id": case_id, "error": f"{type(error).__name__}: {error}"}


def decide(case: Mapping[str, Any]) -> dict[str, Any]:
    """Play a recorded case. Raises BadInput where it cannot be run."""
    engine, family = str(case.get("engine", "")), case.get("family")
    release = _release_of(engine)
    if release is not None:
        return (
            release_queue_cases.play(case, release) if family == _QUEUE else release_cases.play(case, release)
        )
    if engine.startswith(_VOLCANO):
        of_controllers = family in controller_cases.FAMILIES
        return controller_cases.play(case) if of_controllers else session_cases.play(case)
    if engine.startswith(_HAMI):
        return extender_cases.play(case)
    framework_release = _framework_release_of(engine)
    if family == _QUEUE:
        return queue_cases.play(case, framework_release)
    if family == _TIMED:
        return timed_cases.play(case, framework_release)
    group_gates = group_cases.gates_of(case.get("gates") or {})
    if group_gates is not None:
        return group_cases.play(case, group_gates)
    gates, tables = read_gates(case.get("gates")), case.get("extenders") or ()
    items, schedule = case["cluster"]["items"], case.get("schedule") or []
    devices = case.get("failing_devices") or ()
    cycles = play(items, case.get("config"), schedule, gates, tables, framework_release, devices)
    return {"cycles": cycles}


def _release_of(engine: str) -> str | None:
    """Return the release before the framework that an engine's name stands for, such as 1.11."""
    version = engine.removeprefix(_ENGINE)
    return next((name for name in RELEASES if f"{version}.".startswith(f"{name}.")), None)


def _framework_release_of(engine: str) -> Release:
    """Return the release since the framework that an engine's name stands for."""
    version = engine.removeprefix(_ENGINE)
    for minor, release in FRAMEWORK_RELEASES.items():
        if engine.startswith(_ENGINE) and f"{version}.".startswith(f"{minor}."):
            return release
    raise _unsupported("engine", f"{engine!r} is not supported yet")


def _unsupported(field: str, message: str) -> BadInput:
    return BadInput([Problem("case", field, message)])


def play(
    objects: list[dict[str, Any]],
    config: Mapping[str, Any] | None,
    schedule: list[str],
    gates: Gates = DEFAULT_GATES,
    tables: Sequence[Table] = (),
    release: Release = V1_36,
    failing_devices: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Return the cycles of a play: pods enter in the order of `schedule` (`namespace/name`).

    Answers are kept from a class's first pod on, so that each of them is held against the plugins' own.

    `tables` are the answers of the configuration's extenders, in its order.
    """
    built = build_state(
        objects,
        release.accounting,
        with_claims=release.minor in PLAYS_CLAIMS,
        class_resources=release is V1_36,
        failing_devices=failing_devices,
    )
    pending = {built.state.pods.infos[pod].key: pod for pod in built.pending}
    missing = [key for key in schedule if key not in pending]
    if missing:
        raise BadInput([Problem("case", "schedule", f"no pending pod {missing[0]}")])
    profiles = build_profiles(config, percentage_of_nodes_to_score=ALL_NODES, gates=gates, release=release)
    settings = Settings(exchanges=Exchanges(tables_of(config, tables)), keeping=Keeping(since=1))
    world = bare_world(built.state, profiles, settings=settings)
    (scheduler,) = world.schedulers
    assert isinstance(scheduler, KubeScheduler)
    for key in schedule:
        _check_profile(scheduler, pending[key])
    scheduler.admit(built.pending, [pending[key] for key in schedule])
    cycles: list[dict[str, Any]] = []
    while (turn := world.look()) is not None:
        cycles.append(_cycle(world, world.in_full(turn)))
    return cycles


def _check_profile(scheduler: KubeScheduler, pod: int) -> None:
    info = scheduler.state.pods.infos[pod]
    if not scheduler.is_ours(pod):
        raise BadInput(
            [Problem(f"Pod {info.key}", "spec.schedulerName", f"no profile {info.scheduler_name!r}")]
        )


def _cycle(world: World, turn: Turn) -> dict[str, Any]:
    """Apply the decision and return its cycle, rendered from what was seen before it was applied."""
    look: Look = turn.look
    if isinstance(look, Looked) and look.result.outcome == "error" and look.result.pre_filtered is None:
        raise BadInput([Problem(f"Pod {look.result.cycle.pod.key}", "", look.result.message or "")])
    cycle = cycle_of(in_full(world.state, look))
    claims = world.state.device_claims
    if claims is not None:
        cycle |= allocations_of(look)
        claims.written.clear()
    world.apply(turn)
    if claims is not None:
        cycle |= fields_of_claims(look, claims)
    if isinstance(look, Looked):
        cycle["nominated_after"] = world.state.nominated[look.pod]
    return cycle
