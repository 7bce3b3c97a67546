"""The queues of two runs, by whichever kind of scheduler has queues: `dashboard/kinds/*/queues.py`."""

from dashboard.answers.answer import Table
from dashboard.answers.sentence import Sentence
from dashboard.kinds import modules
from dashboard.models import Run


def queues_compared(a: Run, b: Run) -> list[Table]:
    """Return a table of the queues of two runs for each kind that played both."""
    tables = (module.queues_of_two(a, b) for module in modules("queues"))
    return [table for table in tables if table is not None]


def deserves_all(a: Run, b: Run, queue: str) -> Sentence:
    """Return what a queue asks for that deserves all of it in both runs; empty where that isn't so."""
    said = (module.deserves_all(a, b, queue) for module in modules("queues"))
    return next(filter(None, said), [])
