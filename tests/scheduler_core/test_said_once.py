"""What the engine says of the field's objects, it says in one place."""

import importlib
import pkgutil
from collections import defaultdict

import scheduler_core
from scheduler_core.objects.types import KubernetesObject

_LEAST_FIELDS = 2
"""A class with one field is no twin of another one: it may say no more than `spec`."""


def _kinds(of: type[KubernetesObject] = KubernetesObject) -> list[type[KubernetesObject]]:
    return [kind for one in of.__subclasses__() for kind in (one, *_kinds(one))]


def test_no_object_of_an_api_is_read_by_two_classes_of_a_name_with_the_same_fields() -> None:
    for module in pkgutil.walk_packages(scheduler_core.__path__, "scheduler_core."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    kinds = defaultdict(set)
    for kind in _kinds():
        own = tuple(sorted(vars(kind).get("__annotations__", ())))
        package = kind.__module__.split(".")[1]
        if len(own) >= _LEAST_FIELDS:
            kinds[package, kind.__name__, own].add(kind.__module__)
    assert {name: sorted(where) for (_, name, _), where in kinds.items() if len(where) > 1} == {}
