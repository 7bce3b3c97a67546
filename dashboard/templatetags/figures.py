"""Template filters for figures with their units: amounts of resources (amounts.py), shares, times, meters."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from dashboard import amounts
from dashboard.amounts import amount, binary_size, cores, number
from dashboard.instants import clock, lasting
from dashboard.kinds import pages
from dashboard.kinds.cards import sharer
from dashboard.kinds.kube.plugin_words import OUTCOMES
from dashboard.models import Snapshot
from dashboard.services.results.listed_runs import listed_figure
from dashboard.services.results.outcome import unserved
from dashboard.shapes.outcome import Figures
from scheduler_core.schedulers.registry import job_name
from scheduler_core.world.setting_up.companions import name_of

register = template.Library()

LABEL = 16
"""Characters of a resource's name for which there is room beside a meter."""

OUTCOME_WORDS = {
    "scheduled": ("placed", "circle-check"),
    "nominated": ("preempt", "swords"),
    "unschedulable": ("unsched", "circle-x"),
    "gated": ("wait", "pause"),
    "error": ("unsched", "triangle-alert"),
    "evicted": ("preempt", "log-out"),
    "refused": ("unsched", "shield-alert"),
    "skipped": ("wait", "skip-forward"),
}


register.simple_tag(sharer, name="card_sharer")
register.simple_tag(pages.stylesheets, name="kind_stylesheets")
register.filter("kind_tabs", pages.tabs)
register.filter("amount", amount)
register.filter("binary_size", binary_size)
register.filter("cores", cores)
register.filter("number", number)


def _flat(context: Context) -> dict[str, Any]:
    return {str(name): value for name, value in context.flatten().items()}


@register.simple_tag(takes_context=True)
def show_part(context: Context, part: pages.Part) -> SafeString:
    """A part of the page that a kind of scheduler has."""
    return render_to_string(part.template, {**_flat(context), **part.context})


@register.filter
def value_in(row: Any, column: Any) -> Any:
    """What a row says in a column of its table."""
    return column.value(row)


@register.simple_tag
def resource_name(name: str) -> SafeString:
    """A resource's name as a label; a long one goes without its domain, by which few are told apart."""
    own = name.rpartition("/")[2]
    label = name if len(name) <= LABEL or own == name else f"…/{own}"
    return format_html('<span class="muted resource-name" title="{}">{}</span>', name, label)


@register.filter
def share(part: float | None, whole: float | None) -> str:
    """A share in whole percent, to stand beside its meter."""
    return amounts.percent(None if part is None or not whole else part / whole, 0)


@register.filter
def plural(count: int, words: str) -> str:
    """`3|plural:"pod"` is "3 pods"; `"entry,entries"` names both forms."""
    one, _, many = words.partition(",")
    return f"{count:,} {one if count == 1 else many or one + 's'}"


register.filter("listed_figure", listed_figure)


@register.filter(name="unserved")
def unserved_by(outcome: Figures | None) -> int:
    """How many pods of a run's outcome name a scheduler that the run has not."""
    return unserved(outcome)


@register.simple_tag
def since(moment: datetime | None, absent: str = "never") -> SafeString | str:
    """A time as its distance from now, with the exact time on hover."""
    if moment is None:
        return absent
    exact = timezone.localtime(moment).strftime("%Y-%m-%d %H:%M:%S %Z")
    return format_html(
        '<time datetime="{}" title="{}" class="nowrap">{}</time>',
        moment.isoformat(),
        exact,
        distance((timezone.now() - moment).total_seconds()),
    )


def distance(seconds: float) -> str:
    """Seconds before now in words: `just now`, `5 min ago`, `3 h ago`, `2 days ago`."""
    if seconds < 0:
        return "in the future"
    if seconds < 45:
        return "just now"
    for size, name, limit in ((60, "min", 3600), (3600, "h", 86400)):
        if seconds < limit:
            return f"{max(1, round(seconds / size))} {name} ago"
    days = round(seconds / 86400)
    if days < 60:
        return f"{days} day{'s' if days != 1 else ''} ago"
    return f"{round(days / 30.4)} months ago" if days < 730 else f"{round(days / 365)} years ago"


LONGEST_FRESH = 86_400
"""Seconds after which a picture of a cluster is told as an old one."""


@register.filter
def age(snapshot: Snapshot) -> SafeString:
    """How old a picture of a cluster is, by the newest time in it: `12 min old`, with ⚠ over a day."""
    moment = snapshot.taken_at or snapshot.created_at
    seconds = (timezone.now() - moment).total_seconds()
    words = "less than a minute old" if 0 <= seconds < 45 else distance(seconds).replace(" ago", " old")
    about = "the newest time in it" if snapshot.taken_at else "when it was imported"
    exact = timezone.localtime(moment).strftime("%Y-%m-%d %H:%M:%S %Z")
    return format_html(
        '<time datetime="{}" title="{}: {}" class="small nowrap {}">{}{}</time>',
        moment.isoformat(),
        about,
        exact,
        "is-preempt" if seconds > LONGEST_FRESH else "muted",
        "⚠ " if seconds > LONGEST_FRESH else "",
        words,
    )


@register.simple_tag
def lasted(start: datetime | None, end: datetime | None) -> str:
    """How long something took: `0.4 s`, `12 s`, `3 min 20 s`."""
    if start is None or end is None:
        return "–"
    seconds = (end - start).total_seconds()
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


@register.simple_tag
def between(start: datetime, end: datetime) -> str:
    """How much time is between two moments, as long as it may be: `12 min 5 s`, `3 days 4 h`."""
    return lasting(int((end - start).total_seconds() * 1000))


@register.filter
def instant(milliseconds: int | None) -> str:
    """An instant of a run's clock: `0:05.010`."""
    return "–" if milliseconds is None else clock(milliseconds)


@register.filter
def waited(wait: int | None, axis: str) -> str:
    """How long somebody waited: by the clock (axis `time`), else in decisions."""
    if wait is None:
        return "–"
    return lasting(wait) if axis == "time" else plural(wait, "decision")


@register.filter
def percent(value: float | None) -> str:
    """A share that is in percent already: `12.5 %`."""
    return amounts.percent(None if value is None else value / 100)


@register.filter
def moment_query(row: Mapping[str, Any]) -> str:
    """The query that opens the debugger at a decision, and at its instant where a clock moves."""
    if row.get("time") is None:
        return f"?at={row['seq']}"
    seconds = f"{row['time'] // 1000}.{row['time'] % 1000:03}".rstrip("0").rstrip(".")
    return f"?at={row['seq']}&t={seconds}"


@register.filter
def seen_query(seen: Any) -> str:
    """The same of a decision as a comparison has it."""
    return moment_query({"seq": seen.seq, "time": seen.time})


@register.filter
def place_words(row: Mapping[str, Any]) -> str:
    """A decision as a place of the axis: `0:05.010, decision 12`; `the start` is before the first one."""
    words = f"decision {row['seq']:,}" if row["seq"] else "the start"
    return words if row.get("time") is None else f"{clock(row['time'])}, {words}"


@register.simple_tag
def meter(part: float, whole: float, text: str, extra_class: str = "") -> SafeString:
    """A bar of `part` in `whole`; `text` says the same to those who do not see it."""
    percent = min(100.0, 100 * part / whole) if whole else 0.0
    over = "over" if whole and part > whole else ""
    return format_html(
        '<svg class="meter {}" role="img" aria-label="{}"><rect class="{}" width="{}%" height="100%"/></svg>',
        extra_class,
        text,
        over,
        f"{percent:.2f}",
    )


@register.simple_tag
def stacked(parts: list[tuple[str, int, str]], extra_class: str = "tall") -> SafeString:
    """A bar of several parts, each (name, count, css class), in the proportion of their counts."""
    total = sum(count for _, count, _ in parts) or 1
    rectangles, left = [], 0.0
    for name, count, css_class in parts:
        width = 100 * count / total
        rectangles.append((css_class, f"{left:.3f}%", f"{width:.3f}%", f"{count:,} {name}"))
        left += width
    text = ", ".join(f"{count:,} {name}" for name, count, _ in parts)
    inner = format_html_join(
        "",
        '<rect class="{}" x="{}" width="{}" height="100%"><title>{}</title></rect>',
        (row for row in rectangles),
    )
    return format_html(
        '<svg class="meter {}" role="img" aria-label="{}">{}</svg>',
        extra_class,
        text,
        inner,
    )


@register.filter
def outcome_class(outcome: str) -> str:
    """The colour class of a decision's outcome."""
    return "is-" + OUTCOME_WORDS.get(outcome, ("wait", ""))[0]


@register.filter
def outcome_word(outcome: str) -> str:
    """An outcome in words, as the debugger says it beside the pod."""
    return next((rows[outcome].word for rows in OUTCOMES.values() if outcome in rows), outcome)


@register.filter
def outcome_icon(outcome: str) -> str:
    """The icon that always goes with an outcome's colour."""
    return OUTCOME_WORDS.get(outcome, ("", "circle-dot"))[1]


@register.filter
def get(mapping: Mapping[str, Any], key: str) -> Any:
    """A mapping's value for a key that is only known in the template."""
    return mapping.get(key)


@register.filter
def before_command(warning: str) -> tuple[str, str]:
    """Split a warning into its sentence and the kubectl line at its end; the line is empty without one."""
    sentence, found, command = warning.partition(": kubectl ")
    return (f"{sentence}:", f"kubectl {command}") if found else (warning, "")


@register.filter
def workload_name(workload: str) -> str:
    """`Deployment/shop/cart` as it is read in a table: `cart (Deployment)`."""
    parts = (job_name(workload) if workload.startswith("PodGroup/") else workload).split("/")
    return f"{parts[2]} ({parts[0]})" if len(parts) == 3 else workload


@register.filter
def namespace_part(key: str) -> str:
    """The namespace of `namespace/name`."""
    return key.partition("/")[0]


@register.filter
def name_part(key: str) -> str:
    """The name of `namespace/name`."""
    return key.partition("/")[2]


register.filter("job_name", job_name)


@register.filter
def queue_amount(value: float | str | None, resource: str) -> str:
    """An amount of a queue, which may be a part of a device, or "no limit"."""
    return value if isinstance(value, str) else amount(value, resource)


@register.filter
def queue_happenings(entry: dict[str, Any]) -> list[str]:
    """What a session decided about a queue's jobs, in words."""
    said = [
        entry["entered"] and f"{plural(entry['entered'], 'job')} let in",
        entry["rejected"] and f"{plural(entry['rejected'], 'job')} left outside",
        entry["committed"] and f"{plural(entry['committed'], 'statement')} committed",
        entry["bound"] and f"{plural(entry['bound'], 'pod')} bound",
        entry["kept"] and f"{plural(entry['kept'], 'statement')} kept for freed room",
        entry["discarded"] and f"{plural(entry['discarded'], 'statement')} taken back",
        entry["overused"] and "passed over, for it has its share",
    ]
    return [words for words in said if words]


@register.filter
def less(value: int, other: int) -> int:
    """The difference of two counts."""
    return value - other


@register.filter
def scheduler_name(entry: dict[str, Any]) -> str:
    """What the log calls a scheduler that a scenario has beside its own."""
    return name_of(entry)


@register.filter
def add_number(value: float, other: float) -> float:
    """A sum that may have decimals, for places in a picture."""
    return round(value + other, 1)
