"""What an import finds fault with, grouped: a warning for each kind of fault, and all objects that have it.

Nothing of it keeps an import from being used: the faulty parts are read as if they were not there.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from dashboard.errors import sentence_of
from dashboard.first_few import first_few
from dashboard.services.imports.warning_texts import unbroken, without_command
from dashboard.shapes.snapshots import FindingDocument
from scheduler_core.objects.amounts.resource_names import OF_NO_POD
from scheduler_core.objects.imports.references import Gap
from scheduler_core.objects.problems import Problem
from scheduler_core.objects.validation.api_faults import UNREAD

NAMED = 3
"""How many a warning names; all are in the list."""
LISTED_WARNINGS = 20
KEPT_FINDINGS = 200
KEPT_PLACES = 1000
FileOf = Callable[[str], str]
"""Says which file an object of this name came from; nothing where there was only one."""
_INDEX = re.compile(r"\[\d+\]")
_WHERE = re.compile(r" in [\d,]+ objects? \([^)]*\)")


@dataclass
class Finding:
    """A warning, how many objects it is about, and the first KEPT_PLACES places of it (object and field).

    of_files: it is about the files as they were sent; nothing that is stored of them shows it.
    """

    warning: str
    count: int = 0
    places: list[str] = field(default_factory=list)
    of_files: bool = False

    def document(self) -> FindingDocument:
        """Return it as a snapshot stores it."""
        return {
            "warning": self.warning,
            "count": self.count,
            "places": self.places,
            "of_files": self.of_files,
        }


def documents_of_files(documents: Iterable[FindingDocument]) -> list[FindingDocument]:
    """Return those of a snapshot's findings that whatever is made of its objects has, too."""
    return [document for document in documents if document["of_files"]]


def without_objects(documents: Iterable[FindingDocument], names: Collection[str]) -> list[Finding]:
    """Return a snapshot's findings without the places of the objects of these names (`Pod shop/cart-0`).

    A finding that is left without objects is gone. Of those beyond the places that are kept nothing is known.
    """
    findings = (_without(Finding(**document), names) for document in documents)
    return [finding for finding in findings if finding.count]


def _without(known: Finding, names: Collection[str]) -> Finding:
    gone = {_object_in(place) for place in known.places}.intersection(names)
    if not gone:
        return known
    places = [place for place in known.places if _object_in(place) not in gone]
    count = known.count - len(gone)
    left = list(dict.fromkeys(_object_in(place).partition(" ")[2] for place in places))
    warning = _WHERE.sub(lambda _: _where(count, left[:NAMED]), known.warning, count=1)
    return replace(known, warning=warning, count=count, places=places)


def _object_in(place: str) -> str:
    return " ".join(place.split(" ")[:2])


def no_file(name: str) -> str:
    """Return nothing: who calls knows of no files."""
    return ""


def of_gaps(gaps: Iterable[Gap], file_of: FileOf = no_file) -> list[Finding]:
    """Return what is named and missing, with the kubectl line that adds it."""
    return [_of_gap(gap, file_of) for gap in gaps]


def _of_gap(gap: Gap, file_of: FileOf) -> Finding:
    files = _named_files(dict.fromkeys(filter(None, map(file_of, gap.places))))
    within = f" (told by {files})" if files else ""
    return Finding(
        f"{without_command(gap.phrase + within)}.{_remedy(gap.kinds)}",
        len(gap.places),
        gap.places[:KEPT_PLACES],
    )


def _named_files(files: Collection[str]) -> str:
    """Return the first of some files, and how many more there are."""
    return first_few([unbroken(file) for file in files], NAMED)


def _remedy(kinds: Sequence[str]) -> str:
    return f" Add them: kubectl get {','.join(kinds)} -A -o json" if kinds else ""


def of_faults(faults: Iterable[Problem], file_of: FileOf = no_file) -> list[Finding]:
    """Return what an API server would refuse, equal faults of a kind together.

    After KEPT_FINDINGS kinds of faults no more are looked for: such a picture is no cluster's.
    """
    groups: dict[tuple[str, str, str], _Group] = {}
    for fault in faults:
        kind, _, name = fault.object.partition(" ")
        key = kind, _INDEX.sub("[]", fault.field), fault.message
        group = groups.get(key)
        if group is None:
            if len(groups) == KEPT_FINDINGS:
                break
            group = groups[key] = _Group(fault)
        group.take(fault, name, file_of)
    return [group.finding(*key) for key, group in groups.items()]


class _Group:
    """Equal faults of one kind of objects."""

    def __init__(self, first: Problem) -> None:
        self._first = first
        self._last = ""
        self._names: list[str] = []
        self._files: dict[str, None] = {}
        self._found = Finding("", of_files=True)

    def take(self, fault: Problem, name: str, file_of: FileOf) -> None:
        if fault.object != self._last:  # those of an object come one after the other
            self._last = fault.object
            self._found.count += 1
            if file := file_of(fault.object):
                self._files[file] = None
            if len(self._names) < NAMED:
                self._names.append(name)
        if len(self._found.places) < KEPT_PLACES:
            self._found.places.append(f"{fault.object} {fault.field}".strip())

    def finding(self, kind: str, path: str, message: str) -> Finding:
        sentence = sentence_of(self._first) if len(self._found.places) == 1 else f"{kind} {path}: {message}"
        where = _where(self._found.count, self._names) if self._found.count > 1 else ""
        files = f" in {_named_files(self._files)}" if self._files else ""
        lead = "No pod can use this" if message.startswith(OF_NO_POD) else "An API server would refuse this"
        effect = " It is read as if it were not there." if message.startswith(UNREAD) else ""
        end = "" if sentence.endswith("?") else "."
        self._found.warning = without_command(f"{lead}{where}{files}: {sentence}{end}{effect}")
        return self._found


def _where(count: int, names: Sequence[str]) -> str:
    """Say how many objects a warning is about, and the first names of them."""
    more = ["…"] if count > len(names) else []
    return f" in {count:,} {'object' if count == 1 else 'objects'} ({', '.join([*names, *more])})"


def warnings_of(findings: Sequence[Finding]) -> list[str]:
    """Return the warnings, of very many the first."""
    warnings = [finding.warning for finding in findings[:LISTED_WARNINGS]]
    more = len(findings) - len(warnings)
    return [*warnings, f"{more} more kinds of faults are not listed here."] if more else warnings
