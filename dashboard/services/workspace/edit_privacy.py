"""What a scenario must not store is taken out before it is saved, by the same rules as an import.

How many Secrets and kubeconfigs were taken out stands in the edit and is told with what it does. Commands,
the values of environment variables and the like are dropped in silence: no scheduler reads them. An edit of
which nothing would be left is refused. What an API server would refuse in a part that is dropped, misspelt
fields above all, is refused here: nobody could find it later.
"""

from collections.abc import Callable
from typing import Any

from scheduler_core.objects.checks.cluster_checks import check_objects, object_name
from scheduler_core.objects.kinds import kind_named
from scheduler_core.objects.privacy import is_private, withhold_private
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.objects.validation.api_faults import api_faults, unknown_fields

Object = dict[str, Any]


def without_private(edit: Object, index: int) -> Object:
    """Return an edit of the right shape without private parts; raises BadInput.

    A text that cannot be read is refused, for nobody can tell what is in it. index: its place in the list.
    """
    try:
        return _cleaned(edit)
    except BadInput as error:
        raise BadInput([_of_edit(index, edit, problem) for problem in error.problems]) from None


def _cleaned(edit: Object) -> Object:
    if edit["op"] == "add":
        return _clean_addition(edit)
    if edit["op"] == "patch":
        # A patch has the shape of what it is merged into, whose kind stands beside it.
        kind = kind_named(edit["kind"])
        version = {"apiVersion": f"{kind.group}/"} if kind.group else {}
        patch = {**edit["patch"], "kind": kind.name, **version}
        [whole] = _clean([patch])
        _refuse(_lost_faults(patch, whole, unknown_fields))
        return {**edit, "patch": {name: whole[name] for name in edit["patch"] if name in whole}}
    return edit


def _clean_addition(edit: Object) -> Object:
    """Return the edit with its manifest as it came unless something private was in that."""
    manifest = edit["manifest"]
    if isinstance(manifest, str) and not manifest.strip():
        return edit
    documents = read_manifest(manifest)
    kept = _clean(documents)
    if kept == documents:
        return edit
    stored = [document for document in documents if not is_private(document)]
    for document, rest in zip(stored, kept, strict=True):
        find = unknown_fields if check_objects([document]) else api_faults
        _refuse(_lost_faults(document, rest, find), object_name(document) if len(documents) > 1 else "")
    whole = kept[0] if len(kept) == 1 else {"apiVersion": "v1", "kind": "List", "items": kept}
    withheld = len(documents) - len(stored)
    told = {"withheld": edit.get("withheld", 0) + withheld} if withheld else {}
    return {**edit, "manifest": whole, **told}


def _clean(documents: list[Object]) -> list[Object]:
    kept, _ = withhold_private(documents)
    if documents and not kept:
        message = f"a {documents[0]['kind']} is private and never stored; no scheduler reads it"
        raise BadInput([Problem("", "kind", message)])
    return kept


def _lost_faults(document: Object, kept: Object, find: Callable[[Object], list[Problem]]) -> list[Problem]:
    """Return the faults of a document that cannot be found in what is kept of it."""
    faults = find(document)
    left = find(kept) if faults else []
    return [fault for fault in faults if fault not in left]


def _refuse(faults: list[Problem], name: str = "") -> None:
    if faults:
        raise BadInput([Problem(name, fault.field, fault.message) for fault in faults])


def _of_edit(index: int, edit: Object, problem: Problem) -> Problem:
    """Return the problem with its place in the list of edits."""
    if edit["op"] == "patch":
        field = problem.field if problem.field == "kind" else f"patch.{problem.field}"
        return Problem(f"edits[{index}]", field, problem.message)
    within = f"manifest {problem.object}".strip()
    return Problem(f"edits[{index}]", f"{within}.{problem.field}".rstrip("."), problem.message)
