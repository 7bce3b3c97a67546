"""The queues of runs, by whichever kind of scheduler has queues: `dashboard/kinds/*/queues.py`."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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


def of_no_use(a: Run, b: Run, queue: str, edits: Sequence[Mapping[str, Any]]) -> Sentence:
    """Return why edits of a queue are no use to it in both runs; empty where nothing tells.

    Nothing goes by its weight, which is all that they set; or it deserves all that it asks for.
    """
    fields = {field for edit in edits if edit.get("name") == queue for field in edit}
    is_weight = fields - {"op", "name", "at"} == {"weight"}
    reasons = [module.weighs_nothing for module in modules("queues") if is_weight]
    reasons += [module.deserves_all for module in modules("queues")]
    return next(filter(None, (reason(a, b, queue) for reason in reasons)), [])
