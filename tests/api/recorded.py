"""Recorded cases as REST meets them: what to send, and how a stored log is held to what `decide` says."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from recorded.decide import decide
from scheduler_core.events.decisions import decision_decoder
from scheduler_core.events.fold import Fold
from scheduler_core.events.state import RunState
from tests.portions import VECTORS, Way, recorded_cases

OF_RELEASES = sorted(
    f"{path.parent.name}/{family}"
    for family in ("differences", "written")
    for path in VECTORS.glob(f"kube-1.[23]?/{family}.jsonl.gz")
)
"""What other releases since the framework decide otherwise: as recorded, and written by hand."""
FAMILIES = [
    "resources",
    "taints",
    "nodeaffinity",
    "preempt",
    "pdb",
    "nominated",
    "gates",
    "dra",
    "tolerations",
]

Case = dict[str, Any]
Log = list[dict[str, Any]]


def cases_of(family: str, way: Way = "all") -> Iterator[Case]:
    """Yield the recorded cases of a family of 1.36, or of another release's, such as kube-1.33/written.

    No snapshot says of a device that its driver fails once.
    """
    cases = recorded_cases(family if "/" in family else f"kube/{family}", way)
    return (case for case in cases if not case.get("failing_devices"))


def profile_of(case: Case) -> str:
    """The profile of the release that a case was recorded of: `kube-scheduler v1.33.13` is kube-1.33."""
    return f"kube-{case['engine'].partition(' v')[2].rpartition('.')[0]}"


def scenario_of(case: Case, snapshot: int) -> dict[str, Any]:
    """The scenario that plays a case as the recorded driver did: nothing comes back after an eviction."""
    return {
        "name": case["id"],
        "snapshot": snapshot,
        "scheduler": {"profile": profile_of(case), "config": _config_of(case)},
        "controllers": "none",
    }


def _config_of(case: Case) -> dict[str, Any] | None:
    """Its configuration, with the feature gates that the case sets."""
    gates = case.get("gates")
    config: dict[str, Any] | None = case["config"]
    return {**(config or {}), "featureGates": gates} if gates else config


def assert_same(case: Case, base: dict[str, Any], log: Log, final: dict[str, Any]) -> None:
    """The log, decision by decision, and the state that it folds to are those of `decide`."""
    cycles = decide(case)["cycles"]
    assert [summary_of_cycle(cycle) for cycle in cycles] == [summary_of_decision(row) for row in log]
    fold = Fold(msgspec.convert(base, RunState))
    for row in log:
        fold.apply(decision_decoder.decode(msgspec.json.encode(row)))
    assert fold.state() == msgspec.convert(final, RunState)
    assert places(fold.state()) == expected_places(case, cycles)
    assert held(fold.state()) == expected_held(case, cycles)


def summary_of_cycle(cycle: dict[str, Any]) -> dict[str, Any]:
    """What a recorded cycle and a decision of the log both say."""
    verdicts = [verdict for verdict in cycle["filter"].values() if verdict is not None]
    preemption = cycle["preemption"]
    return {
        **{name: cycle[name] for name in SAME},
        "outcome": cycle["result"],
        "given": (cycle.get("allocations") or {}).get(cycle["chosen"]) or {},
        "preenqueue": cycle.get("preenqueue"),
        "visited": len(cycle["filter"]),
        "feasible": len(cycle["filter"]) - len(verdicts),
        "rejections": Counter(_verdict(verdict) for verdict in verdicts),
        "preemption": preemption and {
            **{name: preemption[name] for name in SAME_OF_PREEMPTION},
            "victims": preemption["victims"],
            "cleared": preemption["cleared"],
            "candidates": {
                node: (candidate["victims"], candidate["pdb_violations"])
                for node, candidate in preemption["candidates"].items()
            },
            "not_candidates": Counter(_verdict(verdict) for verdict in preemption["not_candidates"].values()),
        },
    }  # fmt: skip


def summary_of_decision(row: dict[str, Any]) -> dict[str, Any]:
    """The same of a decision of the log."""
    preemption = row["preemption"]
    return {
        **{name: row[name] for name in SAME},
        "pod": _name(row["pod"]),
        "outcome": row["outcome"],
        "given": {
            _claim_name(one["claim"]): [
                f"{device['request']} {device['driver']}/{device['pool']}/{device['device']}"
                for device in one["devices"]
            ]
            for one in row.get("claims") or ()
            if one["new"]
        },
        "preenqueue": row["preenqueue"],
        "visited": row["visited"],
        "feasible": row["feasible"],
        "rejections": {_verdict(entry): entry["nodes"] for entry in row["rejections"]},
        "preemption": preemption and {
            **{name: preemption[name] for name in SAME_OF_PREEMPTION},
            "victims": [_name(pod) for pod in preemption["victims"]],
            "cleared": [_name(pod) for pod in preemption["cleared"]],
            "candidates": {
                candidate["node"]: ([_name(pod) for pod in candidate["victims"]], candidate["pdb_violations"])
                for candidate in preemption["candidates"]
            },
            "not_candidates": Counter(
                {_verdict(entry): entry["nodes"] for entry in preemption["not_candidates"]}
            ),
        },
    }  # fmt: skip


SAME = [
    "pod",
    "attempt",
    "profile",
    "nominated_before",
    "nominated_after",
    "prefilter",
    "best",
    "chosen",
    "message",
]
SAME_OF_PREEMPTION = ["eligible", "reason", "best", "nominated", "status"]


def places(state: RunState) -> dict[str, tuple[str, str]]:
    """Node and nomination of every pod."""
    return {f"{pod.namespace}/{pod.name}": (pod.node, pod.nominated) for pod in state.pods()}


def held(state: RunState) -> dict[str, tuple[list[str], list[str]]]:
    """Devices and pods, by uid, of every ResourceClaim."""
    return {
        key: ([f"{one['driver']}/{one['pool']}/{one['device']}" for one in row["devices"]], row["pods"])
        for key, row in state.tables.get("claims", {}).items()
    }


def expected_held(case: Case, cycles: list[dict[str, Any]]) -> dict[str, tuple[list[str], list[str]]]:
    """The same after the cycles, worked out from the case and the cycles alone."""
    claims = {
        _name(item["metadata"]): item for item in case["cluster"]["items"] if item["kind"] == "ResourceClaim"
    }
    for cycle in cycles:
        for key, claim in (cycle.get("claims") or {}).items():
            claims[key] = claim
    return {key: _held_by(claim.get("status") or {}) for key, claim in claims.items() if claim is not None}


def _held_by(status: dict[str, Any]) -> tuple[list[str], list[str]]:
    results = ((status.get("allocation") or {}).get("devices") or {}).get("results") or ()
    devices = [f"{one['driver']}/{one['pool']}/{one['device']}" for one in results]
    return devices, [one["uid"] for one in status.get("reservedFor") or ()]


def expected_places(case: Case, cycles: list[dict[str, Any]]) -> dict[str, tuple[str, str]]:
    """Node and nomination of every pod after the cycles, worked out from the case and the cycles alone."""
    found: dict[str, tuple[str, str]] = {}
    for item in case["cluster"]["items"]:
        if item["kind"] == "Pod" and item["status"].get("phase") not in ("Succeeded", "Failed"):
            nominated = item["status"].get("nominatedNodeName", "")
            found[_name(item["metadata"])] = (item["spec"].get("nodeName", ""), nominated)
    for cycle in cycles:
        found[cycle["pod"]] = (cycle["chosen"] or "", cycle["nominated_after"])
        for victim in (cycle["preemption"] or {}).get("victims", []):
            del found[victim]
        for cleared in (cycle["preemption"] or {}).get("cleared", []):
            found[cleared] = (found[cleared][0], "")
    return found


def _claim_name(name: str) -> str:
    """The name that `decide` has for a claim that the scheduler makes."""
    return "<extended-resources>" if "-extended-resources-" in name else name


def _name(pod: dict[str, Any]) -> str:
    return f"{pod['namespace']}/{pod['name']}"


def _verdict(verdict: dict[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    return verdict["plugin"], verdict["code"], tuple(verdict["reasons"])
