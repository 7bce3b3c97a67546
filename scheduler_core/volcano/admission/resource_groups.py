"""The webhook manager's file of resource groups: pods of a namespace or with an annotation get a place.

Source: volcano v1.16 pkg/webhooks/config/config.go, pkg/webhooks/admission/pods/mutate.
"""

from __future__ import annotations

from typing import Any

import msgspec
import yaml

from scheduler_core.objects.types import Affinity, Labels, convert

_BY_NAME = "volcano.sh/resource-group"


class Toleration(msgspec.Struct, frozen=True, omit_defaults=True):
    """A toleration as the file's reader takes it: it knows `tolerationSeconds` by no other spelling."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = msgspec.field(default=None, name="tolerationseconds")


class Members(msgspec.Struct, frozen=True):
    """Who belongs to a group: `key` is namespace, annotation, or empty for the group's own name too."""

    key: str = ""
    value: list[str] = []


class ResourceGroup(msgspec.Struct, frozen=True, rename="camel"):
    """What pods of the group get; `affinity` is JSON."""

    resource_group: str = ""
    object: Members = Members()
    scheduler_name: str = ""
    tolerations: list[Toleration] = []
    labels: Labels = {}
    affinity: str = ""

    def has(self, namespace: str, annotations: Labels) -> bool:
        """Return whether a pod belongs to the group."""
        if self.object.key == "namespace":
            return namespace in self.object.value
        if self.object.key not in ("", "annotation"):
            return False
        if any(annotations.get(key, "") == value for key, value in self._annotations().items()):
            return True
        return self.object.key == "" and annotations.get(_BY_NAME, "") == self.resource_group

    def _annotations(self) -> Labels:
        """Return the annotations that make a member; of a key that comes twice the first counts."""
        found: Labels = {}
        for text in self.object.value:
            try:
                found = {**msgspec.convert(_read(text), Labels), **found}
            except (yaml.YAMLError, msgspec.ValidationError):
                continue
        return found

    def affinity_of_members(self) -> dict[str, Any] | None:
        """Return the affinity, None if there is none that can be read."""
        try:
            value = msgspec.json.decode(self.affinity) if self.affinity else None
            convert(value, Affinity) if value is not None else None
        except msgspec.MsgspecError:
            return None
        return value if isinstance(value, dict) else None


def read_resource_groups(text: str) -> tuple[ResourceGroup, ...]:
    """Return the groups of the webhook manager's own file. Raises yaml.YAMLError, msgspec.ValidationError."""
    groups = _read(text).get("resourceGroups") or ()
    return tuple(msgspec.convert(group, ResourceGroup, strict=False) for group in groups)


def _read(text: str) -> dict[str, Any]:
    """Return what a text maps, with scalars as they are written, as the file's reader takes them."""
    value = yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 (it builds nothing but texts)
    return value if isinstance(value, dict) else {}
