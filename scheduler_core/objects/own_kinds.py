"""The kinds of objects that schedulers bring: those of every package of the engine with `api_kinds`.

Their group is always said, since other projects have kinds of these names.
"""

from scheduler_core.objects.data_modules import data_modules
from scheduler_core.objects.kinds import Kind, read_names_in
from scheduler_core.objects.own_kind import OwnKind

OWN: dict[Kind, OwnKind] = {one.kind: one for module in data_modules("api_kinds") for one in module.OWN_KINDS}
OWN_KINDS = frozenset(OWN)


def names_in(group: str) -> frozenset[str]:
    """Return the names of the kinds of an API group that are read, and of Secrets, which must not be."""
    return read_names_in(group) | {kind.name for kind in OWN_KINDS if kind.group == group}
