"""Data of the charts: what the page's script hands to Plotly, as plain lists; colours come from the page.

Shares are percent of allocatable; `text` says the amounts with their units. `rows` is the same as a table,
for those who do not see the picture; without any, `nothing` says why there is no picture.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from dashboard.amounts import amount
from dashboard.services.results.axis import percent_of
from dashboard.shapes.snapshots import Amounts

RESOURCES_SHOWN = 12
Chart = dict[str, Any]


class Row(NamedTuple):
    """A resource, what there is of it in each series, how much of that is taken, and both in words."""

    name: str
    wholes: list[int]
    parts: list[int]
    text: str


def resource_chart(resources: Mapping[str, Amounts]) -> Chart:
    """Requested of allocatable by resource, one bar each, the first resource on top."""
    rows = [
        _requested(name, [figures["allocatable"]], [figures["requested"]])
        for name, figures in resources.items()
    ]
    chart = _share_chart("resources", "Requested of allocatable by resource", [("requested", "--p4")], rows)
    return {**chart, "nothing": "Nothing is requested of the nodes."}


def _requested(resource: str, wholes: list[int], parts: list[int]) -> Row:
    """A resource of nodes; what there is of it is worded twice where nodes came or went."""
    taken = " → ".join(amount(part, resource) for part in parts)
    whole = " → ".join(amount(one, resource) for one in dict.fromkeys(wholes))
    return Row(resource, wholes, parts, f"{taken} of {whole}")


def _share_chart(name: str, label: str, series: list[tuple[str, str]], rows: list[Row]) -> Chart:
    """Bars in percent of allocatable; a resource without a bar is left out: nobody has it, or asks for it."""
    shown = [row for row in rows if any(row.wholes) and any(row.parts)][:RESOURCES_SHOWN]
    table = [
        {
            "name": row.name,
            "shares": [
                percent_of(part, whole) or 0.0 for part, whole in zip(row.parts, row.wholes, strict=True)
            ],
            "text": row.text,
        }
        for row in shown
    ]
    return {
        "id": f"{name}-chart",
        "data_id": f"{name}-data",
        "label": label,
        "rows": table,
        "series": [
            {"name": title, "colour": colour, "shares": [row["shares"][place] for row in table]}
            for place, (title, colour) in enumerate(series)
        ],
    }
