"""What a snapshot's card says: counts, resources, the newest time, and what the import lacks.

A warning is a sentence that says which answers suffer, with the kubectl line that adds what is missing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from django.utils.text import capfirst

from dashboard.amounts import unit_of
from dashboard.errors import sentence_of
from dashboard.queries.configurations import FoundConfiguration, configurations_among
from dashboard.services.imports.findings import FileOf, no_file
from dashboard.services.imports.packed_objects import PackedObjects
from dashboard.services.imports.snapshot_rows import Rows
from dashboard.services.imports.warning_texts import unbroken
from dashboard.shapes.snapshots import Amounts
from scheduler_core.objects.kinds import NODE, POD, READ_KINDS, Kind
from scheduler_core.objects.privacy.configurations import KUBE_SCHEDULER
from scheduler_core.objects.privacy.kept_by_kind import CONFIG_MAP, POD_TEMPLATE, kept_kinds
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.server_version import SERVER_VERSION, git_version
from scheduler_core.objects.whole_lists import WHOLE_LISTS
from scheduler_core.objects.workloads.autoscalers import AUTOSCALER
from scheduler_core.schedulers.kind import SchedulerKind
from scheduler_core.schedulers.registry import kinds
from scheduler_core.world.reporting.trust import Lacking, remedies_of

Object = dict[str, Any]

PAST_TIME = re.compile(
    rb'Time(?:stamp)?(?<![{,]"deletionTimestamp)(?<![{,]"expirationTimestamp)":'
    rb'"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)[^"\\]*(?:\\.[^"\\]*)*(?<=Z)"'
)
"""The end of a key and its value in compact JSON; a key begins behind a brace or a comma."""
LISTED_REFUSALS = 10
LISTED_KINDS = 10
OF_NO_INTEREST = {AUTOSCALER, CONFIG_MAP, POD_TEMPLATE, SERVER_VERSION, WHOLE_LISTS}
"""To any scheduler: nobody misses them."""


def count_kinds(objects: PackedObjects) -> dict[str, int]:
    """Return the number of objects by kind, in name order. What servers said of themselves is no object."""
    counts = Counter(str(kind) for kind in objects.kinds() if kind not in (SERVER_VERSION, WHOLE_LISTS))
    return dict(sorted(counts.items()))


def server_versions(objects: PackedObjects) -> list[str]:
    """Return what the cluster's API servers said of their version, in name order."""
    return sorted(set(map(git_version, objects.of(SERVER_VERSION))))


def sum_resources(rows: Rows) -> dict[str, Amounts]:
    """Return allocatable and requested of every resource that nodes have or pods ask for."""
    names = dict.fromkeys(["cpu", "memory", "pods", *sorted({*rows.allocatable, *rows.requested})])
    return {
        name: {
            "allocatable": rows.allocatable[name],
            "requested": rows.requested[name],
            "unit": unit_of(name),
        }
        for name in names
    }


class NewestTime:
    """The newest past time in objects, given as compact JSON: the picture is not older than that."""

    def __init__(self) -> None:
        self._newest = b""

    def look_at(self, text: bytes) -> None:
        """Take notice of the times in an object."""
        self._newest = max(self._newest, *PAST_TIME.findall(text), b"")

    def moment(self) -> datetime | None:
        """Return the time; None where there is none or it is no day of a calendar."""
        try:
            return datetime.strptime(self._newest.decode(), "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)
        except ValueError:
            return None


def warn(
    objects: PackedObjects, counts: dict[str, int], lacking: Lacking, file_of: FileOf = no_file
) -> list[str]:
    """Return what is missing or not understood, in the words of a run's trust where it says so too."""
    nodes, pods, numbers = objects.of(NODE), objects.of(POD).alike(), Counter(objects.kinds())
    schedulers = list(kinds().values())
    of_devices = [phrase for one in schedulers for phrase in one.device_faults(nodes, pods)]
    missing = _sentences([*of_devices, *lacking.phrases], remedies_of(lacking.kinds))
    warnings = [*_missing_kinds(counts), *missing]
    for one in schedulers:
        looked_at = objects.without_pods_that_lack(one.word_in_pods).alike()
        warnings.extend(_sentences(one.missing_references(looked_at), one.remedies))
        warnings.extend(_refused(one, looked_at, file_of))
        warnings.extend(f"Not played: {phrase}." for phrase in one.unplayed_kinds(numbers))
    found = list(configurations_among(objects.of(CONFIG_MAP)))
    warnings.extend(_found_configuration(one, found) for one in found)
    warnings.extend(sentence for one in found for sentence in _unplayed_parts(one, objects))
    warnings.extend(sentence for one in found for sentence in _left_out(one, nodes))
    return [*warnings, *_not_read(numbers, schedulers)]


def _not_read(numbers: Counter[Kind], schedulers: Iterable[SchedulerKind]) -> Iterator[str]:
    """Yield what no scheduler here looks at: kinds of which all is kept, and of which the metadata are."""
    known = READ_KINDS | OF_NO_INTEREST
    known = known.union(*(one.own_kinds | one.unplayed for one in schedulers))
    unread = {kind: number for kind, number in numbers.items() if kind not in known}
    if kept := {kind: number for kind, number in unread.items() if kind in kept_kinds()}:
        yield f"Not read, since no scheduler here knows what they mean: {_listed(kept)}."
    if unknown := {kind: number for kind, number in unread.items() if kind not in kept_kinds()}:
        yield f"Only the metadata are kept of what is not understood: {_listed(unknown)}."


def _refused(scheduler: SchedulerKind, objects: Iterable[Object], file_of: FileOf) -> Iterator[str]:
    """Yield the first objects that a scheduler's webhooks would refuse if they came now."""
    webhook = f"{scheduler.title}'s admission webhook"
    found = list(islice(scheduler.refusals(objects), LISTED_REFUSALS + 1))
    for problem in found[:LISTED_REFUSALS]:
        file = file_of(problem.object)
        where = f" in {unbroken(file)}" if file else ""
        yield f"{webhook} would refuse this now{where}: {sentence_of(problem)}"
    if len(found) > LISTED_REFUSALS:
        yield f"{webhook} would refuse more than is listed here."


def _found_configuration(found: FoundConfiguration, others: Iterable[FoundConfiguration]) -> str:
    """Return where a scheduler's configuration stands, and who takes it."""
    where = f"ConfigMap {found.config_map} has a configuration of"
    for other in others:
        if found.scheduler == KUBE_SCHEDULER and other.inner == found.config_map:
            whose = f"{kinds()[other.scheduler].title}'s kube-scheduler"
            return f"{where} {whose} ({found.entry}): it goes with ConfigMap {other.config_map}."
    return (
        f"{where} {kinds()[found.scheduler].title} ({found.entry}):"
        " a new scenario takes it where waiting pods name this scheduler, and any can be given it."
    )


def _left_out(found: FoundConfiguration, nodes: Sequence[Object]) -> Iterator[str]:
    """Yield what of the nodes a configuration leaves out; of one that is unreadable, nothing."""
    with suppress(BadInput):
        for phrase in kinds()[found.scheduler].left_out(found.config, nodes):
            yield f"ConfigMap {found.config_map} ({found.entry}): {phrase}."


def _unplayed_parts(found: FoundConfiguration, objects: PackedObjects) -> Iterator[str]:
    """Yield what a run is played without of a configuration, or why none can take it."""
    where = f"ConfigMap {found.config_map}"
    try:
        unplayed = kinds()[found.scheduler].unplayed_parts(found.config, objects.alike())
    except BadInput as error:
        yield from (f"{where}: no run can take it: {sentence_of(fault)}" for fault in error.problems)
        return
    yield from (f"Not played of {where}: {phrase}." for phrase in unplayed.matter)
    if unplayed.without_effect:
        yield f"Not played of {where}, without effect here: {', '.join(unplayed.without_effect)}."


def _listed(numbers: dict[Kind, int]) -> str:
    named = sorted((str(kind), number) for kind, number in numbers.items())
    more = [f"{len(named) - LISTED_KINDS} more kinds"] if len(named) > LISTED_KINDS else []
    listed = ", ".join(f"{number} {kind}" for kind, number in named[:LISTED_KINDS])
    return " and ".join([listed, *more])


def _sentences(phrases: Sequence[str], remedies: Sequence[str]) -> list[str]:
    """Return the phrases as sentences, the kubectl lines behind the last one."""
    sentences = [f"{capfirst(phrase)}." for phrase in phrases]
    for line in remedies if sentences else ():
        sentences[-1] += f" Add them: {line}"
    return sentences


def _missing_kinds(counts: dict[str, int]) -> Iterator[str]:
    if not counts.get("Node"):
        yield "There are no Nodes: every pod stays pending. Add them: kubectl get nodes -o json"
    if not counts.get("Pod"):
        yield "There are no Pods: the nodes look empty. Add them: kubectl get pods -A -o json"
