"""HAMi's recorded cases as REST meets them: what to send, and how a stored log is held to a recording.

A run has no steps that somebody dictates, so of each case it plays the pods that come before the first step
that isn't one (a deletion, a node that changes, a retry, a lock that is held), or whose pod no API server
takes.
"""

import gzip
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from scheduler_core.events.decisions import decision_decoder
from scheduler_core.events.fold import Fold
from scheduler_core.events.state import RunState
from scheduler_core.hami.extender.reasons import reason_words

VECTORS = Path(__file__).parents[1] / "vectors" / "hami"
FAMILIES = sorted(path.name.split(".")[0] for path in VECTORS.glob("*.jsonl.gz"))
PLAYABLE = ("scheduled", "rejected", "skipped", "denied")
ROOM = {"cpu": "1000", "memory": "1000Gi", "pods": "1000"}
"""Nodes have no other resources in the recordings: kube-scheduler's own filters were not asked."""

Case = dict[str, Any]
Log = list[dict[str, Any]]


def cases_of(family: str) -> Iterator[Case]:
    """Yield the recorded cases of a family that begin with pods, cut after those."""
    with gzip.open(VECTORS / f"{family}.jsonl.gz") as lines:
        for case in map(msgspec.json.decode, lines):
            if cycles := playable(case):
                yield case | {"cycles": cycles}


def playable(case: Case) -> list[Any]:
    """The cycles of the pods that come before anything else happens, each for the first time."""
    pods = (item for item in case["cluster"]["items"] if item["kind"] == "Pod")
    refused = {_key(pod) for pod in pods if _asks_for_less_than_nothing(pod)}
    seen: set[str] = set()

    def goes_on(pair: tuple[Any, Any]) -> bool:
        step, cycle = pair
        again, taken = step.get("pod") in seen, step.get("pod") not in refused
        seen.add(step.get("pod", ""))
        plain = step["op"] == "schedule" and not (step.get("hold_lock") or step.get("no_bind") or again)
        over = "exceeding" in (cycle.get("webhook") or {}).get("message", "")
        return plain and taken and not over and cycle["outcome"] in PLAYABLE

    pairs = zip(case["steps"], case["expect"]["cycles"], strict=True)
    return [cycle for _, cycle in takewhile(goes_on, pairs)]


def cluster_of(case: Case) -> dict[str, Any]:
    """The cluster to import: what is there from the start, and the pods of the cycles in their order."""
    turns = {cycle["pod"]: turn for turn, cycle in enumerate(case["cycles"])}
    items = []
    for item in case["cluster"]["items"]:
        metadata = {"uid": f"{item['kind']}-{item['metadata']['name']}", **item["metadata"]}
        item = {"apiVersion": "v1", **item, "metadata": metadata}
        if item["kind"] == "Node":
            item["status"] = _with_room(item.get("status") or {})
        elif item["kind"] == "Pod" and not _is_held(item):
            key = _key(item)
            if key not in turns:
                continue
            minutes, seconds = divmod(turns[key], 60)
            metadata["creationTimestamp"] = f"2026-01-01T00:{minutes:02}:{seconds:02}Z"
        items.append(item)
    return {"apiVersion": "v1", "kind": "List", "items": items}


def _key(pod: dict[str, Any]) -> str:
    return f"{pod['metadata'].get('namespace', 'default')}/{pod['metadata']['name']}"


def _asks_for_less_than_nothing(pod: dict[str, Any]) -> bool:
    resources = [container.get("resources") or {} for container in pod["spec"]["containers"]]
    parts = [part for found in resources for part in found.values()]
    return any(str(amount).startswith("-") for part in parts for amount in part.values())


def _is_held(pod: dict[str, Any]) -> bool:
    annotated = "hami.io/vgpu-node" in (pod["metadata"].get("annotations") or {})
    return annotated and bool(pod["spec"].get("nodeName"))


def _with_room(status: dict[str, Any]) -> dict[str, Any]:
    room = {part: {**(status.get(part) or {}), **ROOM} for part in ("capacity", "allocatable")}
    return {**status, **room, "conditions": [{"type": "Ready", "status": "True"}]}


def scenario_of(case: Case, snapshot: int) -> dict[str, Any]:
    """The scenario that plays a case."""
    scheduler = {"profile": "hami-2.10", "config": case["config"]}
    return {"name": case["id"], "snapshot": snapshot, "scheduler": scheduler, "controllers": "none"}


def assert_same(case: Case, base: dict[str, Any], log: Log, final: dict[str, Any]) -> None:
    """The log, pod by pod, is what was recorded, and so is what is used of the cards after each."""
    tried = [cycle for cycle in case["cycles"] if cycle["outcome"] in ("scheduled", "rejected")]
    fold = Fold(msgspec.convert(base, RunState))
    for cycle, row in zip(tried, log, strict=True):
        where = case["id"], cycle["pod"]
        assert summary_of_decision(row) == summary_of_cycle(cycle), where
        fold.apply(decision_decoder.decode(msgspec.json.encode(row)))
        for node, used in (cycle.get("usage_after") or {}).items():
            assert used_of(fold.state(), node) == {card: _amounts(one) for card, one in used.items()}, where
    assert fold.state() == msgspec.convert(final, RunState)


def summary_of_cycle(cycle: Case) -> dict[str, Any]:
    """What a recorded cycle and a decision of the log both say."""
    words = reason_words(cycle.get("failed") or {})
    return {
        "pod": cycle["pod"],
        "outcome": {"rejected": "unschedulable"}.get(cycle["outcome"], cycle["outcome"]),
        "chosen": cycle.get("chosen") or None,
        "score": cycle["node_scores"][cycle["chosen"]] if cycle.get("chosen") else None,
        "fit": len(cycle.get("node_scores") or {}),
        "best": len(cycle.get("best") or ()),
        "reasons": {word: len(nodes) for word, nodes in words.items()},
        "devices": {
            vendor: [[(one["uuid"], one["usedmem"], one["usedcores"]) for one in piece] for piece in pieces]
            for vendor, pieces in (cycle.get("devices") or {}).items()
        },
    }


def summary_of_decision(row: dict[str, Any]) -> dict[str, Any]:
    """The same of a decision of the log."""
    found = row["exchanges"][0]["cards"]
    return {
        "pod": f"{row['pod']['namespace']}/{row['pod']['name']}",
        "outcome": row["outcome"],
        "chosen": row["chosen"],
        "score": found["score"],
        "fit": found["fit"],
        "best": found["best_count"],
        "reasons": found["reasons"],
        "devices": {
            vendor: [[(one["id"], one["memory"], one["cores"]) for one in piece] for piece in pieces]
            for vendor, pieces in found["devices"].items()
        },
    }


def used_of(state: RunState, node: str) -> dict[str, tuple[int, int, int]]:
    """What is used of a node's cards: slots, MiB and cores by the card's id, of those that are used."""
    rows = [row for row in state.tables["cards"].values() if row["node"] == node and row["used"]]
    return {row["id"]: (row["used"], row["used_memory"], row["used_cores"]) for row in rows}


def _amounts(used: dict[str, Any]) -> tuple[int, int, int]:
    return used["used"], used["usedmem"], used["usedcores"]
