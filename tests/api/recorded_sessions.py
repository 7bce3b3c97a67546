"""Recorded sessions as REST meets them: what to send, and how a stored log is held to what `decide` says."""

from typing import Any

from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.world.beginning import epoch_of, newest_start, past_creations
from tests.portions import VECTORS

FAMILIES = sorted(path.name.split(".")[0] for path in (VECTORS / "volcano").glob("*.jsonl.gz"))
_DIGITS = 9

Case = dict[str, Any]
Row = dict[str, Any]


def scenario_of(case: Case, snapshot: int) -> dict[str, Any]:
    """The scenario that plays a case as the recorded driver did: nothing comes back after an eviction."""
    return {
        "name": case["id"],
        "snapshot": snapshot,
        "scheduler": {"profile": "volcano-1.16", "config": case["config"]},
        "driver": "instant",
        "controllers": "none",
    }


def start_of(case: Case) -> str:
    """Return the instant at which a run of the case begins."""
    pods = [item for item in case["cluster"]["items"] if item["kind"] == "Pod"]
    return format_timestamp(epoch_of(max(newest_start(pods), past_creations(case["cluster"]["items"]))))


def first_session(log: list[Row]) -> list[Row]:
    """Return the steps of the first session: what follows between sessions is not the recording's."""
    return [row for row in log if row.get("session") == 1]


def summary_of_recording(session: Row) -> Row:
    """What a recorded session and the steps of one both say."""
    return {
        "queue_order": session["queue_order"],
        "job_order": session["job_order"],
        "invalid": {
            job: (why["reason"], why["message"]) for job, why in session.get("jobs_invalid", {}).items()
        },
        "actions": {
            name: _recorded_action([one for one in session["actions"] if one["name"] == name])
            for name in sorted({action["name"] for action in session["actions"]})
        },
        "groups": {job: _group(group) for job, group in session["podgroups"].items()},
        "pods": {
            pod: (told["reason"], told["message"], told.get("nominated", ""))
            for pod, told in session.get("pod_status", {}).items()
        },
        "shares": {job: round(drf["share"], _DIGITS) for job, drf in session.get("drf", {}).items()},
        "shares at the end": {
            job: round(drf["share_end"], _DIGITS) for job, drf in session.get("drf", {}).items()
        },
    }


def _recorded_action(times: list[Row]) -> Row:
    """An action, as often as the configuration names it: a log says which one, not the how-manieth."""
    binds: dict[str, str] = {}
    for action in times:
        binds |= action.get("binds", {})
    return {
        "entered": sorted(
            # Without the action enqueue the first allocate lets jobs in, which their groups say at the close.
            job
            for action in times
            if action["name"] == "enqueue"
            for job in action.get("podgroups_enqueued", ())
        ),
        "binds": binds,
        "bind_order": [pod for action in times for pod in action.get("bind_order", ())],
        "evicted": [pod for action in times for pod in action.get("evicted", ())],
        "choices": [
            (choice["task"], choice["best"], choice["chosen"])
            for action in times
            for choice in action.get("decisions", ())
        ],
    }


def summary_of_steps(steps: list[Row]) -> Row:
    """The same of the steps of a session."""
    opened, closed = steps[0], steps[-1]
    return {
        "queue_order": opened["queues"],
        "job_order": opened["jobs"],
        "invalid": {why["job"]: (why["reason"], why["message"]) for why in opened["invalid"]},
        "actions": {
            name: _action(name, [step for step in steps if step.get("action") == name])
            for name in sorted(set(opened["actions"]))
        },
        "groups": {
            group["job"]: (group["phase"], group["reason"], group["message"]) for group in closed["groups"]
        },
        "pods": {
            _name(told["pod"]): (told["reason"], told["message"], told["nominated"])
            for told in closed["messages"]
        },
        "shares": {job: drf["share"] for job, drf in opened["shares"].items()},
        "shares at the end": {job: drf["share"] for job, drf in closed["shares"].items()},
    }


def _action(name: str, steps: list[Row]) -> Row:
    nodes: dict[str, str] = {}
    gangs = [step for step in steps if step["kind"] == "gang"]
    for step in steps:
        if step["kind"] == "gang":
            placed = [change for change in step["changes"] if change.get("new", {}).get("node")]
            nodes |= {change["id"]: change["new"]["node"] for change in placed}
    bound = [pod for gang in gangs for pod in gang["bound"]]
    entered = [step["job"] for step in steps if step["kind"] == "enqueue" and step["outcome"] == "entered"]
    return {
        "entered": sorted(entered),
        "binds": {_name(pod): nodes[pod["uid"]] for pod in bound},
        "bind_order": [_name(pod) for pod in bound],
        "evicted": [_name(pod) for gang in gangs for pod in gang["evicted"]],
        "choices": [
            (_name(step["pod"]), step["best"], step["node"])
            for step in steps
            if step["kind"] == "placement" and step["best"] and name in ("allocate", "backfill")
        ],
    }


def _group(group: Row) -> tuple[str, str, str]:
    last = (group.get("conditions") or [{}])[-1]
    return group["phase"], last.get("reason", ""), last.get("message", "")


def _name(pod: Row) -> str:
    return f"{pod['namespace']}/{pod['name']}"
