"""Edits that did not do all that was asked: a drain that a budget stopped, pods that a quota refused.

They lead wherever a run is summed up, since everything else reads as a success.
"""

from collections.abc import Iterable, Mapping
from typing import Any


def incomplete_edits(results: Iterable[dict[str, Any]], decided: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the edits with problems, in order.

    results: the edits' results as a run stores them. decided: the decision at which a pod's eviction was
    refused, by uid; refusals that the run has not come to are left out. Each entry: {"edit": its index,
    "op", "title": what is incomplete, "problems": sentences, "evictions": how many were asked for,
    "refused": [{"seq", "uid", "pod", "node", "budgets", "message"}]}.
    """
    entries = [_entry(result, decided) for result in results if result.get("problems")]
    return [entry for entry in entries if entry["refused"] or not entry["evictions"]]


def _entry(result: dict[str, Any], decided: Mapping[str, int]) -> dict[str, Any]:
    refused = [
        {"seq": decided[one["uid"]], **one} for one in result.get("refused", ()) if one["uid"] in decided
    ]
    return {
        "edit": result["index"],
        "op": result["op"],
        "title": _title(result),
        "problems": result["problems"],
        "evictions": result.get("evictions", 0),
        "refused": refused,
    }


def _title(result: dict[str, Any]) -> str:
    refused = result.get("refused")
    if not refused:
        return f"Incomplete: {result['sentence']}"
    if result["op"] == "drain":
        return f"Drain of {refused[0]['node']} incomplete"
    return f"Eviction of {refused[0]['pod']}"
