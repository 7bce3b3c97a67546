"""The answer of a sweep: the settings that leave the fewest pods without a node, and today's beside them.

Settings that ask for more or less than the scenario are told and not ranked; what was not played is not
guessed. Of a setting that was played with several seeds the worst run counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from dashboard.answers.answer import Answer, Line, Verdict
from dashboard.answers.deciding import deciding
from dashboard.answers.rests_on import Played, about_runs
from dashboard.answers.sentence import (
    Number,
    Sentence,
    number,
    sentence,
    strong,
)
from dashboard.answers.swept_tables import all_runs, best_settings, range_of
from dashboard.shapes.swept import RESPECTS, STATES, Dimension, Point, Setting, Swept


class _Words(NamedTuple):
    verb: str
    counts: str
    after: str = ""


_NO_DECISION = (
    " no decision: no scheduler that takes part serves them, or what they ask for isn't modelled there."
)
_SAID = {
    "not_done": _Words("leaves ", "edit", " not done"),
    "without_node": _Words("leaves ", "pod", " without a node"),
    "against_budgets": _Words("evicts ", "pod", " against a budget"),
    "nodes": _Words("has ", "node"),
    "evicted": _Words("evicts ", "pod"),
}


def answer_of_sweep(swept: Swept) -> Answer:
    """Return what a sweep says by now."""
    ranked = in_order(swept)
    verdict: Verdict = "differ"
    if len({one.rank for one in ranked}) < 2:
        verdict = "alike" if ranked and not swept.goes_on and not swept.missing else "unsure"
    decides = None if swept.goes_on else deciding(swept)
    tables = [best_settings(swept, ranked), *([decides] if decides else []), all_runs(swept)]
    played = [Played(one.run, one.profile, one.trust) for one in swept.points if one.state == "played"]
    return Answer(verdict, _lead(swept, ranked), [*_lines(swept)], tables, about_runs(played))


def in_order(swept: Swept) -> list[Setting]:
    """Return the settings that may be ranked, the best first; those that are equal as in the grid."""
    return sorted((one for one in swept.settings if one.is_ranked), key=lambda one: one.rank)


def called(swept: Swept, setting: Setting) -> str:
    """Return a setting in words: what varies, and which value it has."""
    titles = [one.title for _, one in swept.varied]
    pairs = [f"{title} = {name}" for title, name in zip(titles, setting.names, strict=True)]
    return ", ".join(pairs) or "the scenario"


# -- the sentence ----------------------------------------------------------------------------------------


def _lead(swept: Swept, ranked: Sequence[Setting]) -> Sentence:
    before = _how_far(swept)
    if not ranked:
        return before if swept.goes_on else _none_ranked(swept)
    best, today = ranked[0], swept.today
    has_seeds = len(swept.varied) < len(swept.dimensions)
    if has_seeds and len(swept.settings) == 1:
        return sentence(before, *_of_seeds(best))
    if not today.is_ranked:
        said = _says(best, "without_node")
        return sentence(before, strong(called(swept, best)), " ", said, "; ", _why_not_today(today))
    beside = _beside_today(swept, ranked, best, today)
    return sentence(before, *beside, *_thresholds(swept), _undecided(swept))


def _none_ranked(swept: Swept) -> Sentence:
    """Say why no setting of a sweep that has ended is ranked, and what those came to that were played."""
    waits = [one.most("without_node") for one in swept.settings if one.is_whole]
    if not waits:
        return _none_whole(swept)
    ends = [Number(value) for value in dict.fromkeys((min(waits), max(waits)))]
    return sentence(
        number(swept.played), " of ", number(len(swept.points), "run was,runs were"), " played. ",
        strong("None of them asks for as much as the scenario, so none is ranked."), " They leave ",
        *([ends[0], " to ", ends[1]] if len(ends) > 1 else ends), " pods without a node.",
    )  # fmt: skip


def _none_whole(swept: Swept) -> Sentence:
    """Say why no setting has all of its figures."""
    if any(point.is_whole for point in swept.points):
        why = "No setting was played with all of its seeds, so none is ranked."
        return sentence(_how_far(swept), strong(why))
    stopped = "Every run that was played came to the limit of attempts."
    return sentence(strong(stopped if swept.played else "No run was played to its end."))


def _how_far(swept: Swept) -> Sentence:
    """Say how many runs the sentence rests on, where more are to be played, or could be."""
    if not swept.goes_on and not swept.missing:
        return []
    words = "run is,runs are" if swept.goes_on else "run was,runs were"
    return sentence(number(swept.played), " of ", number(len(swept.points), words), " played. ")


def _why_not_today(today: Setting) -> str:
    states = {point.state for point in today.points}
    if states & {"playing", "waiting"}:
        return "today's settings are not played yet."
    if states == {"played"}:
        return "today's settings came to the limit of attempts."
    return "today's settings were not played."


def _of_seeds(setting: Setting) -> Sentence:
    one = {point.without_node for point in setting.figures} == {1}
    return sentence(
        "Over ", number(len(setting.points), "seed"), " ", *range_of(setting, "without_node", strong=True),
        strong(" pod" if one else " pods"), f" {'is' if one else 'are'} left without a node, and ",
        *range_of(setting, "evicted"), " evicted.",
    )  # fmt: skip


def _beside_today(
    swept: Swept, ranked: Sequence[Setting], best: Setting, today: Setting
) -> list[str | Sentence]:
    differs = next((name for name in RESPECTS if best.most(name) != today.most(name)), None)
    said: list[str | Sentence] = []
    if differs not in ("not_done", "without_node"):
        said.append(_nothing_better(swept, ranked, today))
    if differs is None:
        return [*said, _undone(today)]
    said.append(
        sentence(
            " " if said else "",
            strong(called(swept, best)), " ", _says(best, differs), ", today's settings ",
            number(today.most(differs)), ".", _also(best, today, differs), _equal(ranked),
        )
    )  # fmt: skip
    if best.most("nodes") != today.most("nodes"):
        said.append(_without_nodes(swept, ranked, today))
    return said if differs == "not_done" else [*said, _undone(today)]


def _undone(today: Setting) -> Sentence:
    """Say how many edits are not done with today's settings, and so with no better ones; nothing for none."""
    undone = today.most("not_done")
    if not undone:
        return []
    return sentence(" With today's settings ", number(undone, "edit is,edits are"), " not done.")


def _nothing_better(swept: Swept, ranked: Sequence[Setting], today: Setting) -> Sentence:
    """Say that no setting leaves fewer pods waiting, and what the others come to."""
    here = today.most("without_node")
    fewer = sum(one.most("without_node") < here for one in ranked)
    if fewer:
        return sentence(
            strong("Today's settings leave "), Number(here, "pod", strong=True), " without a node; ",
            number(fewer, "other setting leaves,other settings leave"), " fewer, but more edits not done.",
        )  # fmt: skip
    if len(ranked) == 1:
        return sentence(
            strong("Today's settings leave "), Number(here, "pod", strong=True), " without a node."
        )
    most = max(one.most("without_node") for one in ranked)
    runs = sum(len(one.points) for one in ranked)
    others = (
        sentence(" in all ", number(runs, "run"), ".")
        if most == here
        else sentence("; the others leave up to ", number(most), ".")
    )
    asks_alike = all(one.asked_as_today for one in swept.settings)
    whose = "No setting" if asks_alike else "No setting that asks for as much"
    return sentence(
        strong(f"{whose} leaves fewer pods without a node than today's: "),
        Number(here, strong=True),
        others,
    )


def _says(setting: Setting, name: str) -> Sentence:
    words = _SAID[name]
    at_most = "at most " if len(setting.points) > 1 else ""
    return sentence(
        words.verb, at_most, Number(setting.most(name), words.counts, strong=True), strong(words.after)
    )  # fmt: skip


def _also(best: Setting, today: Setting, told: str) -> Sentence:
    """Say what else differs for whom it goes: evictions."""
    if told == "evicted" or best.most("evicted") == today.most("evicted"):
        return []
    return sentence(
        " It ", _says(best, "evicted"), ", today's settings ", number(today.most("evicted")), "."
    )  # fmt: skip


def _equal(ranked: Sequence[Setting]) -> Sentence:
    others = sum(one.rank == ranked[0].rank for one in ranked[1:])
    return (
        sentence(" ", number(others, "other setting does,other settings do"), " the same.") if others else []
    )


def _without_nodes(swept: Swept, ranked: Sequence[Setting], today: Setting) -> Sentence:
    """Say what comes of as many nodes as there are today."""
    same = [one for one in ranked if one.most("nodes") == today.most("nodes")]
    if not same or same[0].most("without_node") >= today.most("without_node"):
        return sentence(" With as many nodes as today no setting leaves fewer.")
    own = same[0]
    return sentence(
        " With as many nodes as today ", strong(called(swept, own)), " leaves ",
        number(own.most("without_node")), ".",
    )  # fmt: skip


def _thresholds(swept: Swept) -> list[Sentence]:
    """Say of amounts that ask for more up to which one nobody more waits, with all else as it is today."""
    found = []
    for at, (_, dimension) in enumerate(swept.varied):
        if dimension.asks and dimension.is_numeric:
            alone = _alone(swept, at, dimension)
            found += [_threshold(swept, at, dimension, alone), _all_done(at, dimension, alone)]
    return found


def _alone(swept: Swept, at: int, dimension: Dimension) -> list[Setting]:
    """Return the settings along an amount, all else as today; none where one of them was not played."""
    alone = [
        one for one in swept.settings if one.values[at] is not None and _but(one, at) == _but(swept.today, at)
    ]
    if not all(one.is_whole for one in alone):
        return []
    return sorted(alone, key=lambda one: float(dimension.values[one.values[at] or 0].value))


def _all_done(at: int, dimension: Dimension, alone: Sequence[Setting]) -> Sentence:
    """Say up to which amount all edits are done, where they aren't at a larger one."""
    done = list(takewhile(lambda one: not one.most("not_done"), alone))
    after = next(iter(alone[len(done) :]), None)
    if not done or after is None:
        return []
    return sentence(
        f" Up to {dimension.title} = {done[-1].names[at]} every edit is done; at {after.names[at]} ",
        number(after.most("not_done"), "is,are"), " not.",
    )  # fmt: skip


def _threshold(swept: Swept, at: int, dimension: Dimension, alone: Sequence[Setting]) -> Sentence:
    today = swept.today
    limit = today.most("without_node")
    fine = list(takewhile(lambda one: one.most("without_node") <= limit, alone))
    if not alone:
        return []
    if not fine:
        first = alone[0]
        return sentence(
            f" At {dimension.title} = {first.names[at]} ",
            number(first.most("without_node"), "pod is,pods are"), " left without a node.",
        )  # fmt: skip
    last, after = fine[-1], next(iter(alone[len(fine) :]), None)
    if last.is_today:
        return [] if after is None else sentence(
            f" Above today's {dimension.title} = {last.names[at]} more are left: ",
            number(after.most("without_node")), f" at {after.names[at]}.",
        )  # fmt: skip
    said = sentence(f" Up to {dimension.title} = {last.names[at]} no more are left without a node than today")
    more = [] if after is None else sentence(f"; at {after.names[at]} ", number(after.most("without_node")))
    return sentence(said, more, ".")


def _undecided(swept: Swept) -> Sentence:
    """Say that in other settings no scheduler looks at pods that today's look at."""
    fewer = _unserved(swept.today)
    more = [count for count in map(_unserved, swept.settings) if count > fewer]
    if not more:
        return []
    most = number(max(more), "pod gets,pods get")
    where = number(len(more), "other setting,other settings")
    return sentence(" In ", where, f"{' up to' if len(set(more)) > 1 else ''} ", most, " no decision.")


def _unserved(setting: Setting) -> int:
    """Return how many pods of a setting no scheduler decides about, at most."""
    return max((one.unserved for one in setting.figures), default=0)


def _but(setting: Setting, at: int) -> tuple[str, ...]:
    """Return the names of a setting's values but for one dimension's."""
    return setting.names[:at] + setting.names[at + 1 :]


def _lines(swept: Swept) -> list[Line]:
    lines = []
    failed = [point for point in swept.points if point.state in ("failed", "refused")]
    reasons: dict[str, list[Point]] = {}
    for point in failed:
        reasons.setdefault(point.why.splitlines()[0] if point.why else STATES[point.state], []).append(point)
    for reason, points in reasons.items():
        head = sentence(number(len(points), "run"), " not played:")
        lines.append(Line("not_done", head=head, says=sentence(reason)))
    for setting in swept.settings:
        unserved = _unserved(setting)
        if unserved:
            head = sentence(f"{called(swept, setting)}:")
            said = sentence(number(unserved, "pod gets,pods get"), _NO_DECISION)
            lines.append(Line("pending", head=head, says=said))
    return lines
