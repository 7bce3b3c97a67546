"""Charts of a run over time: what the page's script hands to Plotly, as plain lists.

The axis is the run's clock in milliseconds, or the decision's number. Every point has the query that opens
the debugger at it. Colours come from the page.
"""

from collections.abc import Container
from typing import Any

from dashboard.amounts import amount
from dashboard.instants import clock
from dashboard.services.results.axis import percent_of
from dashboard.shapes.over_time import Answer, Edit, Evictions, Pool, Queue, Requested, Series
from dashboard.templatetags.figures import moment_query, place_words

Chart = dict[str, Any]

QUEUE_LOOKS = {
    "active": ("active", "--placed", ""),
    "backoff": ("back-off", "--preempt", "/"),
    "unschedulable": ("unschedulable", "--unsched", ""),
    "gated": ("gated", "--wait", "\\"),
    "in_flight": ("being tried", "--nominated", "x"),
    "open": ("waiting for a session", "--unsched", ""),
}
"""Each part's name, colour, and the hatching that tells it apart without the colour."""
LINES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"]
COLOURS = ["--c1", "--c2", "--c3", "--c4", "--c5", "--c6"]
SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
STEPS = [
    *(seconds * SECOND // 100 for seconds in (1, 10, 50)),
    *(seconds * SECOND for seconds in (1, 2, 5, 10, 15, 30)),
    *(minutes * MINUTE for minutes in (1, 2, 5, 10, 15, 30)),
    *(hours * HOUR for hours in (1, 2, 3, 6, 12)),
    *(days * DAY for days in (1, 2, 5, 10, 15, 30, 60, 90, 180, 365)),
]
TICKS = 6


def queue_chart(found: Answer, sentences: dict[int, str]) -> Chart:
    """How many pods wait in each part of the queue, with evictions and edits; empty parts are left out.

    sentences: what each edit does, by its index.
    """
    queue = found["queue"]
    series = [
        _series(name, colour, queue["parts"][part], fill=pattern, part=part)
        for part, (name, colour, pattern) in _looks(queue["parts"]).items()
        if any(queue["parts"][part])
    ]
    return {
        **_chart(found, queue, "queue", "Pods that wait, by part of the queue"),
        "series": series,
        "stacked": True,
        "evictions": [
            {**_place(found, row), "text": f"{row['pods']:,} evicted"} for row in found["evictions"]
        ],
        "edits": [
            {**_place(found, row), "text": sentences.get(row["edit"], f"edit {row['edit'] + 1}")}
            for row in found["edits"]
        ],
    }


def _looks(parts: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    unknown = {part: (part, "--c8", ".") for part in parts if part not in QUEUE_LOOKS}
    return {**{part: look for part, look in QUEUE_LOOKS.items() if part in parts}, **unknown}


def without_resources(found: Answer, names: Container[str]) -> Answer:
    """Return a run over time without some resources."""
    rows = [row for row in found["requested"]["series"] if row["resource"] not in names]
    pools = [row for row in found["pools"] if row["resource"] not in names]
    return {**found, "requested": {**found["requested"], "series": rows}, "pools": pools}


def share_charts(found: Answer) -> list[Chart]:
    """What is requested of what is allocatable, in percent: one chart of all nodes, then one of each pool.

    Pools of which nothing was requested have no chart: see `unused_pools`.
    """
    requested = found["requested"]
    resources = list(dict.fromkeys(row["resource"] for row in requested["series"]))
    by_pool: dict[str, list[Series]] = {}
    for row in requested["series"]:
        if any(row["requested"]):
            by_pool.setdefault(row["pool"], []).append(row)
    nodes = {row["pool"]: row["nodes"] for row in found["pools"]}
    return [
        {
            **_chart(
                found,
                requested,
                f"share-{number}",
                f"Requested of allocatable over the run: {pool or 'all nodes'}",
            ),
            "title": pool or "all nodes",
            "nodes": nodes.get(pool, 0),
            "series": [
                _share(row, resources.index(row["resource"])) for row in rows if any(row["allocatable"])
            ],
            "percent": True,
        }
        for number, (pool, rows) in enumerate(by_pool.items())
    ]


def unused_pools(found: Answer) -> list[str]:
    """The pools of which nothing was requested at any time, in words."""
    used = {row["pool"] for row in found["pools"] if row["most"]}
    pools = dict.fromkeys(row["pool"] for row in found["pools"])
    return [pool or "all nodes" for pool in pools if pool not in used]


def used_pools(found: Answer) -> list[Pool]:
    """The figures of all other pools."""
    used = {row["pool"] for row in found["pools"] if row["most"]}
    return [row for row in found["pools"] if row["pool"] in used]


def _share(row: Series, number: int) -> dict[str, Any]:
    pairs = list(zip(row["requested"], row["allocatable"], strict=True))
    shares = [percent_of(part, whole) for part, whole in pairs]
    texts = [f"{amount(part, row['resource'])} of {amount(whole, row['resource'])}" for part, whole in pairs]
    look = number % len(LINES)
    return _series(row["resource"], COLOURS[look], shares, dash=LINES[look], texts=texts)


def _series(name: str, colour: str, values: list[Any], **known: Any) -> dict[str, Any]:
    return {"name": name, "colour": colour, "values": values, **known}


def _chart(found: Answer, points: Queue | Requested, name: str, label: str) -> Chart:
    places = points["seq"] if found["axis"] == "decision" else points["time"]
    rows = [{"seq": seq, "time": time} for seq, time in zip(points["seq"], points["time"], strict=True)]
    return {
        "id": f"{name}-chart",
        "data_id": f"{name}-data",
        "label": label,
        "axis": found["axis"],
        "places": places,
        "queries": [moment_query(row) for row in rows],
        "texts": [place_words(row) for row in rows],
        "range": [found["start"], found["end"]],
        "ticks": ticks(found["axis"], found["start"], found["end"]),
    }


def _place(found: Answer, row: Evictions | Edit) -> dict[str, Any]:
    place = row["seq"] if found["axis"] == "decision" else row["time"]
    return {"place": place, "query": moment_query(row), "at": place_words(row)}


def ticks(axis: str, start: int, end: int) -> list[tuple[int, str]]:
    """Return at most TICKS + 1 round places of the axis, each with its label."""
    wanted = max(1, -(-(end - start) // TICKS))
    if axis == "decision":
        size = 10 ** (len(str(wanted)) - 1)
        step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= wanted)
        return [(place, f"{place:,}") for place in range(-(-start // step) * step, end + 1, step)]
    step = next((step for step in STEPS if step >= wanted), -(-wanted // DAY) * DAY)
    return [(place, _instant(place, step)) for place in range(-(-start // step) * step, end + 1, step)]


def _instant(place: int, step: int) -> str:
    if step >= DAY:
        return f"day {place // DAY:,}"
    return clock(place) if step < SECOND else clock(place).removesuffix(".000")
