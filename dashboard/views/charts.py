"""Data of the charts: what the page's script hands to Plotly, as plain lists; colours come from the page.

Shares are percent of allocatable; `text` says the amounts with their units. `rows` is the same as a table,
for those who do not see the picture.
"""

from typing import Any

from dashboard.services.over_time import percent_of
from dashboard.templatetags.figures import amount

RESOURCES_SHOWN = 12
Chart = dict[str, Any]


def resource_chart(resources: dict[str, dict[str, Any]]) -> Chart:
    """Requested of allocatable by resource, one bar each, the first resource on top."""
    rows = [
        (name, [figures["allocatable"]], [figures["requested"]], amount(figures["requested"], name))
        for name, figures in resources.items()
    ]
    return _share_chart("resources", "Requested of allocatable by resource", [("requested", "--p4")], rows)


def utilisation_chart(utilisation: list[dict[str, Any]]) -> Chart:
    """Requested of allocatable by resource, before and after a run."""
    rows = [
        (
            row["resource"],
            [row["allocatable"], row.get("allocatable_after", row["allocatable"])],
            [row["before"], row["after"]],
            f"{amount(row['before'], row['resource'])} → {amount(row['after'], row['resource'])}",
        )
        for row in utilisation
    ]
    series = [("before", "--p2"), ("after", "--p4")]
    return _share_chart("utilisation", "Requested of allocatable before and after the run", series, rows)


def _share_chart(
    name: str, label: str, series: list[tuple[str, str]], rows: list[tuple[str, list[int], list[int], str]]
) -> Chart:
    """Bars in percent of allocatable; resources that nobody has or asks for are left out."""
    shown = [row for row in rows if any(row[1]) or any(row[2])][:RESOURCES_SHOWN]
    table = [
        {
            "name": resource,
            "shares": [
                percent_of(part, whole) or 0.0 for part, whole in zip(parts, allocatable, strict=True)
            ],
            "text": f"{text} of {_all_of(allocatable, resource)}",
        }
        for resource, allocatable, parts, text in shown
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


def _all_of(allocatable: list[int], resource: str) -> str:
    """Word what there is: twice where nodes came or went."""
    return " → ".join(amount(whole, resource) for whole in dict.fromkeys(allocatable))
