"""Recorded cases of pod groups: a cycle of a group is as many decisions of the log as it has members."""

from typing import Any

from recorded.decide import decide
from tests.api.recorded import Case, Log, summary_of_cycle, summary_of_decision

Row = dict[str, Any]


def assert_same_gangs(case: Case, log: Log) -> None:
    """The log, cycle by cycle, is what `decide` says."""
    left = list(log)
    for cycle in decide(case)["cycles"]:
        if "group" not in cycle:
            said, row = summary_of_cycle(cycle), summary_of_decision(left.pop(0))
            assert _without_cleared(said) == _without_cleared(row), case["id"]
            continue
        group = cycle["group"]
        rows = [left.pop(0) for _ in group["outcomes"]]
        assert [_outcome(one) for one in group["outcomes"]] == [_decision(row) for row in rows], case["id"]
        assert _of_cycle(group) == _of_log(rows), case["id"]
        assert _tries(group, rows) == [_figures(row) for row in rows], case["id"]
    assert not left, case["id"]


def _without_cleared(said: Row) -> Row:
    return said | {"preemption": said["preemption"] and {**said["preemption"], "cleared": []}}


def _outcome(outcome: Row) -> Row:
    return {
        "pod": outcome["pod"],
        "outcome": outcome["result"],
        "chosen": outcome["chosen"],
        "message": outcome["message"],
        "nominated": outcome["nominated_after"],
    }


def _decision(row: Row) -> Row:
    return {
        "pod": _name(row["pod"]),
        "outcome": row["outcome"],
        "chosen": row["chosen"],
        "message": row["message"],
        "nominated": row["nominated_after"],
    }


def _of_cycle(group: Row) -> Row:
    preemption, scores = group.get("preemption"), group.get("scores") or {}
    return {
        "name": group["name"],
        "placements": [
            (
                one["name"],
                sum(_has_node(pod) for pod in one["pods"]),
                scores.get(one["name"], {}).get("total"),
            )
            for one in group["placements"]
        ],
        "best": (group.get("best") or [""])[0],
        "condition": group["condition"],
        "preemption": preemption and ", ".join([preemption["status"], *preemption["reasons"]]),
        "victims": sorted(group["victims"]),
    }


def _of_log(rows: Log) -> Row:
    group = rows[0]["group"]
    assert [row["group"]["place"] for row in rows] == list(range(1, group["members"] + 1))
    victims = {_name(one) for row in rows for one in (row["preemption"] or {}).get("victims") or ()}
    has_best = any(one["total"] is not None for one in group["placements"])
    condition = {name: group[name] for name in ("status", "reason", "message")}
    return {
        "name": group["name"],
        "placements": [(one["name"], one["found"], one["total"]) for one in group["placements"]],
        "best": group["placement"] if has_best else "",
        "condition": condition if group["status"] else None,
        "preemption": group["preemption"],
        "victims": sorted(victims | {_name(one) for one in group["victims"]}),
    }


def _has_node(pod: Row) -> bool:
    return pod["result"] == "fits" or bool((pod["preemption"] or {}).get("nominated"))


def _tries(group: Row, rows: Log) -> list[Row]:
    """What was found out of each member on the placement that counts; nothing of one that was not tried."""
    counted = rows[0]["group"]["placement"]
    tried: list[Row] = next((one["pods"] for one in group["placements"] if one["name"] == counted), [])
    by_name = {one["pod"]: one for one in tried}
    return [_figures_of(by_name.get(one["pod"])) for one in group["outcomes"]]


def _figures_of(pod: Row | None) -> Row:
    if pod is None:
        return {"visited": 0, "feasible": 0, "best": []}
    refused = sum(verdict is not None for verdict in pod["filter"].values())
    return {
        "visited": len(pod["filter"]),
        "feasible": 0 if pod["result"] == "error" else len(pod["filter"]) - refused,
        "best": pod["best"],
    }


def _figures(row: Row) -> Row:
    return {"visited": row["visited"], "feasible": row["feasible"], "best": row["best"]}


def _name(pod: Row) -> str:
    return f"{pod['namespace']}/{pod['name']}"
