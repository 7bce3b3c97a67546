"""What one run comes to beside another, as the end of a sentence: "leaves 12 fewer pods pending than run 31".

Whoever waits or goes is said in full, so that a run that leaves fewer pods pending is not praised for it
while it evicts more.
"""

from collections.abc import Sequence

from dashboard.answers.compared import FIRST, WAITING, Pair, value_of
from dashboard.answers.ended_run import joined
from dashboard.answers.sentence import Sentence, number, sentence
from dashboard.shapes.comparison import Figure

_GANGS = "gangs that are whole"


def what_b_does(pair: Pair, than: str = "") -> Sentence:
    """Return what run b comes to beside run a; `than`: by what a is called, empty where it is not named."""
    if pair.alike:
        return sentence("decides alike")
    rows = _telling(pair)
    if rows:
        says = joined([_says(row) for row in rows])
        counted = all(FIRST[row["name"]][1] for row in rows)
        return sentence(says, f" than {than}" if than and counted else "")
    if pair.elsewhere:
        return sentence("has ", number(pair.elsewhere, "pod"), " on another node")
    if any(row["difference"] for row in pair.figures):
        return sentence("differs only in figures of the table")
    return sentence("takes other decisions, to the same figures")


def _telling(pair: Pair) -> list[Figure]:
    """Return the figures that differ and say who starts, waits or goes; else the one that matters most."""
    by_name = {row["name"]: row for row in pair.figures if row["difference"]}
    differ = [by_name[name] for name in FIRST if name in by_name]
    return [row for row in differ if row["name"] in (_GANGS, *WAITING)] or differ[:1]


def _says(row: Figure) -> Sentence:
    verb, counts, after = FIRST[row["name"]]
    if not counts:
        return sentence(verb, value_of(row, row["b"]), after, " instead of ", value_of(row, row["a"]))
    more = "more" if row["difference"] > 0 else "fewer"
    return sentence(verb, number(abs(row["difference"]), f"{more} {counts}"), after)


def names_of(pairs: Sequence[Pair]) -> list[str]:
    """Return by what to call the first run and the others: by what sets each apart, else by its number."""
    firsts = {pair.a.subject for pair in pairs}
    names = [pairs[0].a.subject, *(pair.b.subject for pair in pairs)]
    if len(firsts) == 1 and len(set(names)) == len(names):
        return names
    return [f"run {pairs[0].a.run}", *(f"run {pair.b.run}" for pair in pairs)]
