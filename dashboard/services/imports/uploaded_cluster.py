"""Pictures of clusters: the files of an upload become the list of objects that a snapshot stores.

In come files as they were sent, archives among them, whose files count as if they had been sent one by one
in name order; out come the objects, each once and in its newest state, without what is private, checked.
Everything that is wrong is a BadInput that names the file wherever several were read.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from django.conf import settings

from dashboard.services.imports.findings import FileOf, Finding, no_file, of_faults
from dashboard.services.imports.paced_reports import PacedReports, Report
from dashboard.services.imports.packed_objects import PackedObjects, Progress
from dashboard.services.imports.sent_objects import PRIVATE, Sent, Taking, dropped_of
from dashboard.services.imports.upload_files import (
    BODY,
    Payload,
    SourceFile,
    UploadFiles,
    listed_names,
    within,
)
from scheduler_core.objects.api_server.generated_names import name_all
from scheduler_core.objects.checks.cluster_checks import Limits, find_faults, object_name
from scheduler_core.objects.imports.superseded_objects import Superseded, keep_newest, version_of
from scheduler_core.objects.kinds import NODE, POD, Kind
from scheduler_core.objects.own_kinds import OWN_KINDS
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.texts import is_json
from scheduler_core.objects.validation.api_faults import api_faults
from scheduler_core.schedulers.registry import faults_of

__all__ = ["Faulty", "Payload", "Picture", "Report", "is_json", "read_picture"]

Object = dict[str, Any]


@dataclass(frozen=True)
class Picture:
    """What was read of a cluster: objects as they will be stored, and what was left out.

    dropped: phrases about what is private. left_out: sentences about files and objects that were not taken,
    and about values that were lost to others of the same key. notes: sentences about what was made of others.
    faults: what an API server would refuse of the objects as they were sent. replaced: names of objects of
    the snapshot that files were added to, in whose place newer states came. file_of: which of several files
    an object of a name came from.
    """

    objects: PackedObjects
    dropped: list[str]
    left_out: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    faults: list[Finding] = field(default_factory=list)
    replaced: set[str] = field(default_factory=set)
    file_of: FileOf = field(default=no_file, compare=False)

    def watched(self, progress: Progress) -> "Picture":
        """Return the same picture, which tells how far each walk through its objects has come."""
        return replace(self, objects=self.objects.watched(progress))


_NOTHING_LEFT = Problem(
    "", "", "all nodes and pods are among what is faulty: without it nothing would be left of the cluster"
)


class Faulty(BadInput):
    """Some files or objects are faulty: `number` of them, and `rest` is the picture without these."""

    def __init__(self, problems: list[Problem], number: int, rest: Picture) -> None:
        super().__init__(problems)
        self.number = number
        self.rest = rest


def _no_report(stage: str, done: int, total: int) -> None:
    """Nobody is watching."""


def read_picture(
    payloads: list[Payload],
    report: Report = _no_report,
    *,
    without_faulty: bool = False,
    from_snapshot: bool = False,
    in_order: bool = False,
) -> Picture:
    """Read, join, strip and check the objects of all files, in order; raises BadInput.

    Faulty is raised where something would be left without the faulty files and objects; `without_faulty`
    leaves them out instead. from_snapshot: the first payload is what a snapshot stores, whose `faults` were
    found when it was imported and are not found again. in_order: sort the objects by kind and as an API
    server lists them.
    """
    upload = UploadFiles(payloads, report)
    archives = upload.look_through()
    files, named = _with_names(upload.read(archives), upload.taking)
    reports = PacedReports(report)
    reports.tell("checking", upload.total, upload.total)
    objects, superseded = keep_newest(sent for file in files for sent in file.objects)
    if in_order:
        objects.sort(key=_place_in_lists)
    if not objects:
        place, they = ("the files", "them") if len(payloads) > 1 else (payloads[0][0] or BODY, "it")
        message = f"there are no Kubernetes objects in {they}{upload.files_without_objects()}"
        raise BadInput(upload.unreadable or [Problem(place, "", message)])
    readable = [sent for sent in objects if sent.place != PRIVATE]
    kept = upload.taking.kept(readable)
    faults, places = _find_faults(kept.watched(partial(reports.pass_by, "checking")))
    several = len(files) > 1 or any(archives)
    in_files = _with_files(faults, files, readable, several=several) if faults else faults
    problems = [*upload.unreadable, *in_files]
    left_out = [*upload.left_out(archives), *_newer_states(superseded), *_private_objects(objects)]
    file_of = _file_of(files, readable, kept) if several else no_file
    before = files[0].objects if from_snapshot else []
    notes, gone = [*upload.notes(), *_given_names(named)], _replaced(before, objects)
    picture = Picture(kept, dropped_of(objects), left_out, notes, replaced=gone, file_of=file_of)
    stored = set(map(id, before))
    if not problems:
        return replace(picture, faults=_faults(readable, stored, file_of))
    if places is None or len(places) == len(kept):
        raise BadInput(problems)
    if _loses_nodes_and_pods(kept.kinds(), places, lost=upload.lost_nodes_or_pods):
        raise BadInput([*problems, _NOTHING_LEFT] if without_faulty else problems)
    doubles = _doubles(readable, places, files)
    names = [doubles.get(fault.object, told.object) for fault, told in zip(faults, in_files, strict=True)]
    names = [*(problem.object for problem in upload.unreadable), *names]
    found = _faults(_all_but(readable, places), stored, file_of)
    rest = replace(_without(picture, places, names), faults=found)
    faulty = Faulty(problems, upload.unreadable_number + len(places), rest)
    if without_faulty:
        return faulty.rest
    raise faulty


def _place_in_lists(sent: Sent) -> tuple[Kind, str]:
    """Return by what a picture is sorted: the kind, then the key under which an API server stores objects."""
    kind, namespace, name, _ = sent.identity
    return kind, f"{'' if namespace == 'None' else namespace}/{name}"


def _loses_nodes_and_pods(kinds: Iterable[Kind], places: set[int], *, lost: bool) -> bool:
    """Tell whether all nodes and pods of an upload are faulty, and it has some.

    lost: whether files that cannot be read have some. What says no kind may be one.
    """
    for place, kind in enumerate(kinds):
        if kind in (NODE, POD) or not kind.name:
            if place not in places:
                return False
            lost = True
    return lost


def _find_faults(objects: PackedObjects) -> tuple[list[Problem], set[int] | None]:
    """Return what is wrong with the objects and where they stand; None if there are too many of them."""
    limits = Limits(nodes=settings.NODE_LIMIT, pods=settings.POD_LIMIT)
    found = find_faults(objects.identified(), limits, kinds=objects.kinds(), sound=objects.sound())
    if found.places is None:
        return found.problems, None
    problems, places = found.problems, set(found.places)
    of_schedulers = [place for place, kind in enumerate(objects.kinds()) if kind in OWN_KINDS]
    for place in of_schedulers:
        if place not in places and (faults := faults_of(objects[place])):
            problems = [*problems, *faults]
            places.add(place)
    return problems, places


def _without(picture: Picture, places: set[int], names: list[str]) -> Picture:
    """Return the picture without its faulty objects, with a sentence that names them and faulty files."""
    named = list(dict.fromkeys(filter(None, names)))
    sentence = f"Left out, since they are faulty: {listed_names(named)}."
    return replace(picture, objects=picture.objects.without(places), left_out=[*picture.left_out, sentence])


def _doubles(objects: list[Sent], places: set[int], files: list[SourceFile]) -> dict[str, str]:
    """Return which object is left out and which is kept, by names that faulty ones share with others."""
    faulty = {_full_name(objects[place]) for place in places}
    kept = {name: sent for sent in _all_but(objects, places) if (name := _full_name(sent)) in faulty}
    pairs: dict[str, list[tuple[Sent, Sent]]] = {}
    for place in sorted(places):
        sent = objects[place]
        if (other := kept.get(_full_name(sent))) is not None:
            pairs.setdefault(object_name(sent.document()), []).append((sent, other))
    origins = _origins(files) if pairs else {}
    return {name: _told_apart(name, found, origins) for name, found in pairs.items()}


def _told_apart(name: str, pairs: list[tuple[Sent, Sent]], origins: dict[int, tuple[str, int]]) -> str:
    """Say where the first objects of the pairs stand, and where their second one, which is kept."""
    among = [origins[id(sent)] for pair in pairs for sent in pair]
    in_one_file = len({file for file, _ in among}) < len(set(among))

    def where(sent: Sent) -> str:
        file, position = origins[id(sent)]
        return f"{file} items[{position}]".strip() if in_one_file else file or BODY

    left = " and ".join(where(sent) for sent, _ in pairs)
    return f"{left}: {name} (that of {where(pairs[0][1])} is kept)"


def _full_name(sent: Sent) -> tuple[Kind, str, str]:
    kind, namespace, name, _ = sent.identity
    return kind, "default" if namespace in ("None", "") else namespace, name


def _all_but(objects: list[Sent], places: set[int]) -> list[Sent]:
    return [sent for place, sent in enumerate(objects) if place not in places]


def _private_objects(objects: list[Sent]) -> list[str]:
    """Say how many objects are dropped as a whole: somebody may look for them."""
    dropped = " and ".join(dropped_of(sent for sent in objects if sent.place == PRIVATE))
    return [f"Dropped as a whole, since nothing of them may be stored: {dropped}."] if dropped else []


def _file_of(files: list[SourceFile], objects: list[Sent], kept: PackedObjects) -> FileOf:
    """Return who knows the files of some objects by their names, which are gathered when one is asked for."""

    @cache
    def names() -> dict[str, str]:
        origins = _origins(files)
        pairs = zip(kept.alike(), objects, strict=True)
        return {object_name(document): origins[id(sent)][0] or BODY for document, sent in pairs}

    return lambda name: names().get(name) or names().get(name.replace(" default/", " ", 1), "")


def _faults(objects: list[Sent], stored: set[int], file_of: FileOf) -> list[Finding]:
    """Return what an API server would refuse of objects as they were sent: misspelt fields are not stored.

    stored: the ids of objects of a snapshot.
    """
    faulty = (sent for sent in objects if sent.has_faults and id(sent) not in stored)
    return of_faults((fault for sent in faulty for fault in api_faults(sent.document())), file_of)


def _replaced(before: list[Sent], objects: list[Sent]) -> set[str]:
    """Return the names of objects that gave way to newer states and to which no object is left."""
    left = set(map(id, objects))
    gone = {object_name(sent.document()) for sent in before if id(sent) not in left}
    return gone - {object_name(sent.document()) for sent in before if id(sent) in left} if gone else gone


def _with_names(files: list[SourceFile], taking: Taking) -> tuple[list[SourceFile], list[Object]]:
    """Return the files, objects with a `generateName` named, and these objects."""
    if not any(sent.is_nameless for file in files for sent in file.objects):
        return files, []
    objects, named = name_all([sent.document() for file in files for sent in file.objects])
    rest = iter(objects)

    def renamed(sent: Sent) -> Sent:
        document = next(rest)
        return taking.take(document, document) if sent.is_nameless else sent

    return [replace(file, objects=[renamed(sent) for sent in file.objects]) for file in files], named


def _given_names(named: list[Object]) -> list[str]:
    if not named:
        return []
    return [f"Named by their generateName: {listed_names([object_name(document) for document in named])}."]


def _newer_states(superseded: list[Superseded]) -> list[str]:
    if not superseded:
        return []
    names = [
        f"{object_name(one.document)} ({version_of(one.document)}, not {one.older})" for one in superseded
    ]
    return [
        "In several states, of which the one with the newest resourceVersion was taken:"
        f" {listed_names(names)}."
    ]


def _with_files(
    problems: list[Problem], files: list[SourceFile], checked: list[Sent], *, several: bool
) -> list[Problem]:
    """Return the problems of checked objects where they stand in their files, named if there are several."""
    origins = _origins(files)
    places: dict[str, dict[str, str]] = {}
    for index, sent in enumerate(checked):
        name, position = origins[id(sent)]
        file = (name or BODY) if several else ""
        called = object_name(sent.document())
        places.setdefault(called, {})[file] = called
        places[f"items[{index}]"] = {file: f"items[{position}]"}
    return [_placed(problem, places) for problem in problems]


def _origins(files: list[SourceFile]) -> dict[int, tuple[str, int]]:
    """Return file and position of every object, by its id."""
    return {id(sent): (file.name, position) for file in files for position, sent in file.placed()}


def _placed(problem: Problem, places: dict[str, dict[str, str]]) -> Problem:
    """Return the problem with its files; several where each holds an object of that name."""
    if problem.object in places:
        found, rest = places[problem.object], ""
    else:  # a nameless object: its position, and its kind in brackets
        position, space, kind = problem.object.partition(" ")
        found, rest = places.get(position, {}), space + kind
    if not found:
        return problem
    return within(
        " and ".join(found),
        Problem(next(iter(found.values())) + rest, problem.field, problem.message),
    )
