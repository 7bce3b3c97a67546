"""Rows of a snapshot for objects that schedulers bring, beside those of nodes, pods and workloads."""

from collections.abc import Collection
from functools import cache
from typing import Any, Protocol

from dashboard.kinds import all_kinds
from dashboard.models import Node, Pod, Workload
from scheduler_core.objects.identity import Owners
from scheduler_core.objects.kinds import Kind

Object = dict[str, Any]


class OwnRows(Protocol):
    """A scheduler's: the model of its rows, and the kinds of objects that have one."""

    model: Any
    shown: Collection[Kind]

    def columns(self, document: Object, owners: Owners) -> Object:
        """Return the columns of the row of an object."""

    def group_of_pod(self, document: Object) -> str:
        """Return the pod group that a pod names, as `namespace/name`; empty where it names none."""


@cache
def row_models() -> tuple[Any, ...]:
    """Return the models of all rows, in the order in which they are stored and removed."""
    return (Pod, Workload, *dict.fromkeys(one.model for one in _all()), Node)


@cache
def by_kind() -> dict[Kind, OwnRows]:
    """Return whose rows objects of a kind have."""
    return {kind: one for one in _all() for kind in one.shown}


def group_of_pod(document: Object) -> str:
    """Return the pod group that a pod names, as `namespace/name`; empty where it names none."""
    return next(filter(None, (one.group_of_pod(document) for one in _all())), "")


@cache
def _all() -> tuple[OwnRows, ...]:
    return tuple(kind.rows for kind in all_kinds() if kind.rows is not None)
