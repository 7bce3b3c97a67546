"""What two runs were given alike and what not, as rows and in a sentence, and what to call each run.

Each run is called by what sets it apart from the other: its version, its driver, its seed, else its number.
"""

from django.utils.text import capfirst

from dashboard.models import Run
from dashboard.models.scenarios import Driver
from dashboard.shapes.comparison import Setting
from scheduler_core.schedulers.registry import works_in_sessions
from scheduler_core.world.setting_up.companions import name_of


def settings_of(a: Run, b: Run) -> list[Setting]:
    """Return what decides a run, as both have it: clusters by their content."""
    pairs = {
        "snapshot": (a.snapshot.content_hash, b.snapshot.content_hash),
        "edits": (a.edits, b.edits),
        "profile": (a.profile, b.profile),
        "driver": (a.driver, b.driver),
        "config": (a.config, b.config),
        "beside": (a.beside, b.beside),
        "controllers": (a.controllers, b.controllers),
        "seed": (a.seed, b.seed),
        "schedule": (a.schedule, b.schedule),
        "attempt_limit": (a.attempt_limit, b.attempt_limit),
        "until": _ends(a, b),
        "attempt_seconds": (a.attempt_seconds, b.attempt_seconds),
        "ready_seconds": (a.ready_seconds, b.ready_seconds),
        "engine_version": (a.engine_version, b.engine_version),
    }
    return [
        {"what": what, "same": one == other, "a": one, "b": other} for what, (one, other) in pairs.items()
    ]


def _ends(a: Run, b: Run) -> tuple[float | None, float | None]:
    """Return when the clocks were told to end; alike where both were to end at one instant, told or not."""
    one, other = ((run.outcome or {}).get("until") for run in (a, b))
    if one is not None and one == other:
        return (a.until, a.until) if a.until is not None else (b.until, b.until)
    return a.until, b.until


def different_settings(a: Run, b: Run) -> list[str]:
    """Return the names of the settings that differ."""
    return [setting["what"] for setting in settings_of(a, b) if not setting["same"]]


def labels(a: Run, b: Run) -> tuple[str, str]:
    """Return by what to call each run in a sentence."""
    if a.profile != b.profile:
        return a.profile, b.profile
    if a.driver != b.driver and a.edits == b.edits:
        return f"the driver {a.driver}", f"the driver {b.driver}"
    if different_settings(a, b) == ["seed"]:
        return _seed(a), _seed(b)
    return f"run {a.pk}", f"run {b.pk}"


def _seed(run: Run) -> str:
    return "no seed" if run.seed is None else f"seed {run.seed}"


def _beside(run: Run) -> str:
    """Say who else schedules."""
    names = [name_of(entry) for entry in run.beside]
    return f"{', '.join(names)} beside it" if names else "nobody beside it"


def _end(run: Run) -> str:
    return "an end by itself" if run.until is None else f"an end after {_seconds(run.until)}"


def _clock_alone(a: Run, b: Run) -> str:
    """Say which of two runs has a clock, if just one has: their decisions are other steps."""
    clocks = [run.driver == Driver.TIMED for run in (a, b)]
    if clocks[0] == clocks[1]:
        return ""
    run = a if clocks[0] else b
    return f"a clock moves in run {run.pk} only, so decisions of equal number are other steps"


def sessions_alone(a: Run, b: Run) -> str:
    """Say which of two runs decides in sessions, if just one does: their decisions are other steps."""
    in_sessions = [works_in_sessions(run.profile) for run in (a, b)]
    if in_sessions[0] == in_sessions[1]:
        return ""
    run = a if in_sessions[0] else b
    return f"run {run.pk} decides in sessions, so decisions of equal number are other steps"


def _seconds(seconds: float) -> str:
    return f"{seconds:,.3f}".rstrip("0").rstrip(".") + " s"


def settings_sentence(a: Run, b: Run) -> str:
    """Say what both runs were given alike and what not, the cluster first."""
    different = set(different_settings(a, b))
    parts = [_inputs(a, b, different)]
    one, other = (f"{run.profile} ({run.driver})" for run in (a, b))
    if {"profile", "driver"} & different:
        parts.append(f"scheduler {one} against {other}")
    else:
        parts.append(f"both {one}")
    if alone := _clock_alone(a, b):
        parts.append(alone)
    if alone := sessions_alone(a, b):
        parts.append(alone)
    if "config" in different:
        parts.append("the scheduler's configuration differs")
    if "beside" in different:
        parts.append(f"{_beside(a)} against {_beside(b)}")
    if "controllers" in different:
        parts.append(f"controllers {a.controllers} against {b.controllers}")
    if "seed" in different:
        parts.append(f"{_seed(a)} against {_seed(b)}")
    if "schedule" in different:
        parts.append("pods enter the queue in different orders")
    if "attempt_limit" in different:
        parts.append(f"at most {a.attempt_limit} attempts against {b.attempt_limit}")
    if "until" in different:
        parts.append(f"{_end(a)} against {_end(b)}")
    if "attempt_seconds" in different:
        parts.append(f"{_seconds(a.attempt_seconds)} an attempt against {_seconds(b.attempt_seconds)}")
    if "ready_seconds" in different:
        parts.append(f"pods ready after {_seconds(a.ready_seconds)} against {_seconds(b.ready_seconds)}")
    if "engine_version" in different:
        parts.append(f"recorded by engine {a.engine_version} and by engine {b.engine_version}")
    text = "; ".join(parts)
    return f"{capfirst(text)}."


def _inputs(a: Run, b: Run, different: set[str]) -> str:
    edits = "the same edits" if a.edits else "no edits"
    if "edits" in different:
        edits = f"different edits ({len(a.edits)} against {len(b.edits)})"
    if "snapshot" in different:
        name = f"{a.snapshot.name} (snapshot {a.snapshot_id}) against {b.snapshot.name} ({b.snapshot_id})"
        return f"different clusters, {name}; {edits}"
    if "edits" in different:
        return f"same cluster, {edits}"
    return "same cluster and edits" if a.edits else "same cluster, no edits"
