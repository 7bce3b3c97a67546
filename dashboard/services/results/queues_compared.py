"""The queues of runs, by whichever kind of scheduler has queues: `dashboard/kinds/*/queues.py`."""

from collections.abc import Sequence
from typing import NamedTuple

from dashboard.answers.answer import Table
from dashboard.answers.sentence import Sentence
from dashboard.kinds import modules
from dashboard.models import Run


class QueuesCompared(NamedTuple):
    """Tables of the queues of runs, and the resources that these may be told by, the scarcest first."""

    tables: list[Table]
    resources: list[str]


def queues_compared(a: Run, b: Run, by: str = "") -> QueuesCompared:
    """Return the queues of two runs, of each kind that played both, in the resource `by`."""
    found = [module.queues_of_two(a, b, by) for module in modules("queues")]
    of_both = [one for one in found if one is not None]
    resources = list(dict.fromkeys(name for _, names in of_both for name in names))
    return QueuesCompared([table for table, _ in of_both], resources)


def queues_of_several(runs: Sequence[Run], by: str = "") -> QueuesCompared:
    """Return the queues of several runs: what each holds and deserves in each, in the resource `by`."""
    found = [module.queues_of_several(runs, by) for module in modules("queues")]
    of_all = [one for one in found if one is not None]
    resources = list(dict.fromkeys(name for _, names in of_all for name in names))
    return QueuesCompared([table for table, _ in of_all], resources)


def deserves_all(a: Run, b: Run, queue: str) -> Sentence:
    """Return what a queue asks for that deserves all of it in both runs; empty where that isn't so."""
    said = (module.deserves_all(a, b, queue) for module in modules("queues"))
    return next(filter(None, said), [])
