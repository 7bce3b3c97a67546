"""Refuses the manifests of edits that cannot be read, or that an API server would not take."""

from typing import Any

from scheduler_core.objects.api_server.generated_names import beginning_of_name, with_name
from scheduler_core.objects.checks.cluster_checks import check_objects, object_name
from scheduler_core.objects.problems import Problem
from scheduler_core.objects.validation.api_faults import all_faults
from scheduler_core.schedulers.object_admission import Refused

Object = dict[str, Any]


def check_manifest(document: Object, field: str) -> None:
    """Refuse an object with faults in its fields. Raises Refused."""
    _refuse(check_objects([document]), field)


def manifest_faults(document: Object) -> list[Problem]:
    """Return what cannot be read of an object to be made, and what an API server would not take."""
    beginning = beginning_of_name(document)
    return all_faults(with_name(document, f"{beginning}1") if beginning else document)


def refuse_manifest(documents: list[Object], field: str) -> None:
    """Refuse a manifest with all that is wrong with each of its objects. Raises Refused."""
    faults = []
    for document in documents:
        place = f"{field} {object_name(document)}: " if len(documents) > 1 else f"{field}."
        found = manifest_faults(document)
        faults += [(f"{place}{fault.field}".rstrip(".: "), fault.message) for fault in found]
    if faults:
        raise Refused(*faults[0], faults[1:])


def refuse_as_api(document: Object, field: str, before: Object | None = None) -> None:
    """Refuse what cannot be read and what an API server would not take, all of it at once. Raises Refused.

    before: the object that is changed, whose own faults are nothing new.
    """
    problems = all_faults(document)
    if problems and before is not None:
        known = all_faults(before)
        problems = [problem for problem in problems if problem not in known]
    _refuse(problems, field)


def _refuse(problems: list[Problem], field: str) -> None:
    if problems:
        faults = [
            (f"{field}.{problem.field}" if problem.field else field, problem.message) for problem in problems
        ]
        raise Refused(*faults[0], faults[1:])
