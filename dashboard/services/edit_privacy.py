"""What a scenario must not store is taken out before it is saved, by the same rules as an import.

A Secret or kubeconfig in an edit is refused, since nothing of it would be left; commands, the values of
environment variables and the like are dropped in silence: no scheduler reads them. What an API server would
refuse in a part that is dropped, misspelt fields above all, is refused here: nobody could find it later.
"""

from collections.abc import Callable
from typing import Any

from scheduler_core.objects.api_faults import api_faults, unknown_fields
from scheduler_core.objects.checks import check_objects, object_name
from scheduler_core.objects.kinds import kind_named
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.privacy.configurations import CONFIGURATION_OF_A_SCENARIO, KIND
from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.volcano_configuration import VOLCANO_CONFIGURATION
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading import read_manifest

Object = dict[str, Any]


def without_private(edits: list[Object]) -> list[Object]:
    """Return edits of the right shape without private parts; raises BadInput with every edit that is refused.

    A text that cannot be read is refused too, for nobody can tell what is in it.
    """
    kept: list[Object] = []
    problems: list[Problem] = []
    for index, edit in enumerate(edits):
        try:
            kept.append(_cleaned(edit))
        except BadInput as error:
            problems += [_of_edit(index, edit, problem) for problem in error.problems]
    if problems:
        raise BadInput(problems)
    return kept


def without_connections(config: Object | None, *, of_volcano: bool = False) -> Object | None:
    """Return a scheduler's configuration without connections, files and keys.

    Addresses of extenders stay; whether they may be asked must have been checked before. What is misspelt
    would be gone in silence.
    """
    if of_volcano:
        return config and VOLCANO_CONFIGURATION.keep_object(config, "", Dropped())
    return config and CONFIGURATION_OF_A_SCENARIO.keep_object(config, KIND, Dropped())


def _cleaned(edit: Object) -> Object:
    if edit["op"] == "add":
        return {**edit, "manifest": _clean_manifest(edit["manifest"])}
    if edit["op"] == "patch":
        # A patch has the shape of what it is merged into, whose kind stands beside it.
        kind = kind_named(edit["kind"])
        version = {"apiVersion": f"{kind.group}/"} if kind.group else {}
        patch = {**edit["patch"], "kind": kind.name, **version}
        [whole] = _clean([patch])
        _refuse(_lost_faults(patch, whole, unknown_fields))
        return {**edit, "patch": {name: whole[name] for name in edit["patch"] if name in whole}}
    return edit


def _clean_manifest(manifest: Object | str) -> Object | str:
    """Return the manifest as it came unless something private was in it."""
    if isinstance(manifest, str) and not manifest.strip():
        return manifest
    documents = read_manifest(manifest)
    kept = _clean(documents)
    if kept == documents:
        return manifest
    for document, rest in zip(documents, kept, strict=True):
        find = unknown_fields if check_objects([document]) else api_faults
        _refuse(_lost_faults(document, rest, find), object_name(document) if len(documents) > 1 else "")
    return kept[0] if len(kept) == 1 else {"apiVersion": "v1", "kind": "List", "items": kept}


def _clean(documents: list[Object]) -> list[Object]:
    kept = []
    for document in documents:
        rest, _ = withhold_private([document])
        if not rest:
            message = f"a {document['kind']} is private and never stored; no scheduler reads it"
            raise BadInput([Problem("", "kind", message)])
        kept += rest
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
