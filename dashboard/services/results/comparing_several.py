"""Up to six runs compared: each with the first, by which they are all measured."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from dashboard.answers.answer import Answer
from dashboard.answers.several import Runs, answer_of_several
from dashboard.models import Run
from dashboard.queries.comparison_settings import sessions_alone
from dashboard.services.results.comparing import Comparison, compare_runs
from dashboard.services.results.queues_compared import QueuesCompared, queues_of_several

MOST = 6
"""So many runs stand beside each other."""


@dataclass(frozen=True)
class Several:
    """Comparisons of each other run with the first, in the order in which they were asked for."""

    comparisons: Sequence[Comparison]
    columns: Runs
    answer: Answer
    queues: QueuesCompared

    @property
    def runs(self) -> list[Run]:
        """The runs, the first one being that by which the others are measured."""
        return [self.comparisons[0].a, *(one.b for one in self.comparisons)]


def compare_several(runs: Sequence[Run], queues_by: str = "") -> Several:
    """Compare runs with the first of them; raises NotYet while one of them has nothing.

    queues_by: as of two runs.
    """
    first, *others = runs
    comparisons = [compare_runs(first, other) for other in others]
    columns = Runs([one.pair for one in comparisons], [_first_difference(one) for one in comparisons])
    queues = queues_of_several(runs, queues_by)
    answer = answer_of_several(columns)
    answer = msgspec.structs.replace(answer, tables=[*answer.tables, *queues.tables])
    return Several(comparisons, columns, answer, queues)


def _first_difference(compared: Comparison) -> int | None:
    """Return the first decision that differs; none where decisions of equal number are other steps."""
    first = compared.differences.first
    if first is None or first.b is None or sessions_alone(compared.a, compared.b):
        return None
    return first.seq
