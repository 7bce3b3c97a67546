"""Which runs an address of the Compare page names: `a` and `b`, or two to six of `run`, the first first."""

from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.http import HttpRequest

from dashboard.models import Run
from dashboard.queries import access
from dashboard.services.results.comparing_several import MOST

LONGEST_NUMBER = 18
NOT_A_NUMBER = "A run is named by its number."
SAME_RUN = "Choose another run than the first."
SAME_TWICE = "Choose two different runs for the maps."
TOO_MANY = f"At most {MOST} runs stand beside each other; these are the first {MOST}."


@dataclass
class NamedRuns:
    """The runs that an address names; `a` and `b` are those of the maps. problems: by field.

    runs: all of them where there are more than two, else empty. resource: by which queues are told, if any
    is chosen.
    """

    a: Run | None = None
    b: Run | None = None
    runs: list[Run] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)
    resource: str = ""

    @property
    def chosen(self) -> list[Run]:
        """All runs that are named."""
        return self.runs or [run for run in (self.a, self.b) if run is not None]

    @property
    def named(self) -> str:
        """The query that names the same runs again, with an & at its end."""
        pairs = [("run", run.pk) for run in self.runs]
        pairs += [(name, run.pk) for name, run in (("a", self.a), ("b", self.b)) if run is not None]
        return f"{urlencode(pairs)}&"

    @property
    def query(self) -> str:
        """The same, with the resource that the address chooses for queues."""
        return f"{self.named}{urlencode({'resource': self.resource})}&" if self.resource else self.named


def read_runs(request: HttpRequest) -> NamedRuns:
    """Return the runs that the address names. Raises Http404."""
    asked = NamedRuns(resource=request.GET.get("resource", ""))
    named = {name: _read(request, asked, name, request.GET.get(name, "")) for name in ("a", "b")}
    numbers = dict.fromkeys(text.strip() for text in request.GET.getlist("run") if text.strip())
    found = [_read(request, asked, "run", number) for number in list(numbers)[:MOST]]
    runs = [run for run in dict.fromkeys(found) if run is not None]
    if len(numbers) > MOST:
        asked.problems["run"] = TOO_MANY
    asked.a, asked.b = named["a"], named["b"]
    if len(runs) > 2:
        asked.runs = runs
        _choose_two(asked)
    elif runs:
        asked.a, asked.b = (*runs, None)[:2]
    if asked.a is not None and asked.a == asked.b:
        asked.problems["b"] = SAME_RUN
    return asked


def _read(request: HttpRequest, asked: NamedRuns, name: str, text: str) -> Run | None:
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER:
        return access.get_run_or_404(request.user, int(text))
    if text:
        asked.problems[name] = NOT_A_NUMBER
    return None


def _choose_two(asked: NamedRuns) -> None:
    """Let the maps show two of the runs: those that are named, else the first two."""
    if asked.a is not None and asked.a == asked.b:
        asked.problems["run"] = SAME_TWICE
        asked.b = None
    if asked.a not in asked.runs:
        asked.a = next(run for run in asked.runs if run != asked.b)
    if asked.b not in asked.runs:
        asked.b = next(run for run in asked.runs if run != asked.a)
