"""How the parts of a sentence are worded, whatever the medium: plurals, units, names, lists."""

from collections.abc import Iterable, Sequence

from dashboard import amounts
from dashboard.answers.sentence import Name, Names, Number, Part, Text, Words
from dashboard.instants import lasting

SAME, NONE = "same", "–"
_KINDS_SAID = ("decision", "run", "snapshot", "scenario")


def plain(parts: Iterable[Part]) -> str:
    """Return a sentence without any markup."""
    return "".join(map(worded, parts))


def worded(part: Part) -> str:
    """Return the words of a part."""
    match part:
        case Text(text):
            return text
        case Words(words):
            return words
        case Number():
            return numbered(part)
        case Name():
            return named(part)
        case Names():
            return listed([named(one) for one in part.names], part.others)


def numbered(part: Number) -> str:
    """Return a number with its unit or what it counts: `3 pods`, `350m`, `31.3 GiB`, `×3`, `+2`, `same`."""
    value = abs(part.value) if part.signed else part.value
    words = _measured(value, part)
    if part.counts:
        words = f"{words} {counted(value, part.counts)}"
    if not part.signed:
        return words
    return SAME if not part.value else f"{'−' if part.value < 0 else '+'}{words}"


def counted(value: float, counts: str) -> str:
    """Return what is counted, in the form that goes with so many: `pod`, `pods`; `copy,copies` names both."""
    one, _, many = counts.partition(",")
    return one if value == 1 else many or f"{one}s"


def _measured(value: float, part: Number) -> str:
    match part.measure:
        case "milli-CPU":
            return amounts.cores(value)
        case "bytes":
            return amounts.binary_size(value)
        case "milliseconds":
            return lasting(round(value))
        case "share":
            return amounts.percent(value, 0)
        case "times":
            return f"×{amounts.number(value)}"
        case "":
            return amounts.number(value)


def named(name: Name) -> str:
    """Return a name: `shop/cart`, `node-c1`, `decision 14`, `run 20`."""
    if name.kind in _KINDS_SAID and name.name.isdigit():
        return f"{name.kind} {name.name}"
    return f"{name.namespace}/{name.name}" if name.namespace else name.name


def listed(names: Sequence[str], others: int = 0) -> str:
    """Return names as a list in a sentence: `a, b and c`, `a, b and 3 others`."""
    named_all = [*names, *([f"{others:,} {counted(others, 'other')}"] if others else [])]
    if len(named_all) < 2:
        return "".join(named_all)
    return f"{', '.join(named_all[:-1])} and {named_all[-1]}"
