"""What each change between two runs does alone, as far as the runs that have it alone were played."""

from dataclasses import dataclass, field, replace

from msgspec.structs import replace as replace_struct

from dashboard.answers.answer import Line
from dashboard.answers.beside import what_b_does
from dashboard.answers.compared import Pair
from dashboard.answers.sentence import Name, Place, Sentence, sentence
from dashboard.errors import NotYet
from dashboard.models import ChangeAlone, Run
from dashboard.services.results.changes import Change, Inseparable, changes_of
from dashboard.services.results.comparing import Comparison, compare_runs


@dataclass(frozen=True)
class Alone:
    """Two runs with several changes between them, and the runs that have one of these alone, by place.

    inseparable: why the changes can't be played one by one; empty where they can. It is said only of runs
    that differ in more than one setting.
    """

    changes: list[Change] = field(default_factory=list)
    runs: dict[int, Run] = field(default_factory=dict)
    inseparable: str = ""

    @property
    def is_offered(self) -> bool:
        """Whether some change is still to be played."""
        return len(self.changes) > 1 and any(place not in self.runs for place in range(len(self.changes)))

    @property
    def played(self) -> int:
        """How many of the runs have ended."""
        return sum(run.has_ended for run in self.runs.values())

    @property
    def goes_on(self) -> bool:
        """Whether one of the runs is still being played."""
        return self.played < len(self.runs)


def alone_between(a: Run, b: Run, different: int) -> Alone:
    """Return the changes between two runs that have ended and `different` settings in which they differ."""
    try:
        changes = changes_of(a, b)
    except Inseparable as reason:
        return Alone(inseparable=str(reason) if different > 1 else "")
    if len(changes) < 2:
        return Alone()
    rows = ChangeAlone.objects.filter(a=a, b=b, place__lt=len(changes)).select_related("run__snapshot")
    return Alone(changes, {row.place: row.run for row in rows if row.run.status != Run.Status.CANCELLED})


def compare_with_changes(a: Run, b: Run, queues_by: str = "") -> tuple[Comparison, Alone]:
    """Compare two runs as `compare_runs` does; the answer also says what each change does alone."""
    compared = compare_runs(a, b, queues_by)
    if not (a.has_ended and b.has_ended):
        return compared, Alone()
    alone = alone_between(a, b, sum(not setting["same"] for setting in compared.settings))
    answer = compared.answer
    asked = [line for line in answer.lines if line.about in ("differently", "both")]
    lines = [*asked, *_lines(a, alone), *answer.lines[len(asked) :]]
    return replace(compared, answer=replace_struct(answer, lines=lines)), alone


def _lines(a: Run, alone: Alone) -> list[Line]:
    """Return a line for each change that is being played alone, or was."""
    return [
        Line("alone", head=sentence(alone.changes[place].says, " alone:"), says=[*_says(a, run), *_of(run)])
        for place, run in sorted(alone.runs.items())
    ]


def _of(run: Run) -> Sentence:
    return sentence(" (", Name("run", str(run.pk), at=Place(run=run.pk)), ").")


def _says(a: Run, run: Run) -> Sentence:
    if not run.has_ended:
        return sentence("being played")
    if run.status != Run.Status.FINISHED:
        return sentence(f"not to be played, {run.error.splitlines()[0] if run.error else run.status}")
    try:
        pair: Pair = compare_runs(a, run).pair
    except NotYet:
        return sentence("it took no decision")
    return sentence("no effect") if pair.alike else what_b_does(pair)
