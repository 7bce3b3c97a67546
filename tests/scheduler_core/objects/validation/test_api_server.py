"""What a real API server of 1.36.1 said to the same manifests: which it took, and which fields it refused.

The manifests are of all kinds that are read; about half are right, many of them in ways that look wrong.
"""

import gzip
import re
from pathlib import Path
from typing import Any

import msgspec

from scheduler_core.objects.api_server.admission import Admission
from scheduler_core.objects.api_server.generated_names import beginning_of_name, with_name
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.validation.api_faults import all_faults
from tests.builders import Object
from tests.cases import for_each

ANSWERS = Path(__file__).parents[3] / "vectors" / "kube" / "api_server.json.gz"
ASKED: list[Object] = msgspec.json.decode(gzip.decompress(ANSWERS.read_bytes()))
BY_ID = {asked["id"]: asked for asked in ASKED}
MORE_THAN_ASKED = {
    "meta/node namespace": "an API server takes the namespace away without a word",
    "node/allocatable odd name": "no pod can ask for it, so that it is misspelt",
}
OLDER = {"earlier/right 9": "an apiVersion of older servers"}
BEHIND_A_GATE = {"pod/toleration gt", "pod/toleration gt text"}
NOT_LOOKED_AT = {
    "pod/env odd name", "pod/probe on container", "pod/volume iscsi partial", "node/pod cidr bad",
    "node/declared features", "volume/host path dots", "storage class/topologies empty term",
    "storage class/parameters", "volume/no source", "csi node/no id", "cronjob/no schedule",
    "service/no ports", "cronjob/time zone bad", "resource claim/cel bad", "resource claim/admin",
    "device class/cel bad", "device class/cel not bool",
}  # fmt: skip
"""No scheduler reads these fields, some are not even stored, or an expression would have to be compiled."""
NOT_STORED = ".nodeID"
OTHERS = {*MORE_THAN_ASKED, *OLDER, *BEHIND_A_GATE, *NOT_LOOKED_AT}
OWN_PATHS = (
    (r"ownerReferences\.", "ownerReferences[0]."),
    (r"^metadata\.taints", "spec.taints"),
    (r"^overhead\.limits", "overhead.podFixed"),
    (r"template\.labels", "template.metadata.labels"),
    (r"spec\.template\.metadata\.labels$", "spec.selector"),
    (r"resources\.storage", "resources.requests.storage"),
    (r"\]\.namespace$", "].namespaces"),
    (r"\.\{topologyKey, whenUnsatisfiable\}", ".topologyKey"),
    (r"\.persistentDisk\.", ".gcePersistentDisk."),
    (r"scopeSelector\.matchExpressions\.", "scopeSelector.matchExpressions[0]."),
    (r"\.limits\[0\]\.limits", ".limits[0].max"),
    (r"resources\.containers\[0\]\.cpu\.limits", "resources.limits"),
)
"""Fields that an API server calls otherwise than they are called in the manifest, or less exactly."""
OTHERWISE = (
    (r"\.requests\.", ".limits."),
    (r"\.resources\.requests$", ".resources.limits"),
    (r"\.default(Request)?\.", r".max."),
    (r"\.default(Request)?\.", r".min."),
    (r"\.defaultRequest\.", r".default."),
    (r"\.dataSourceRef", ".dataSource"),
    (r"(tolerations\[\d+\])\.operator", r"\1.value"),
    (r"template\.spec\.volumes\[0\].*", "volumeClaimTemplates"),
    (r"^metadata\.labels$", "spec.template.metadata.labels"),
    (r"^spec\.selector$", "spec.template"),
    (r"\.resources\.limits$", ".resources.requests"),
)
"""Where ours is told: of fields that a server fills from others before it looks at them a fault is told of
both, and of a value it is told of the operator beside it."""


def found_in(document: Object) -> list[str]:
    """The faulty fields as an edit tells them: of the manifest alone, else of the pod that is admitted."""
    beginning = beginning_of_name(document)
    named = with_name(document, f"{beginning}1") if beginning else document
    found = [fault.field for fault in all_faults(named)]
    if not found and kind_of(named) == POD:
        found = [fault.field for fault in Admission([]).admit_pod(named).problems]
    return found


def same(one: str, other: str) -> bool:
    """Whether two paths are the same place, or one within the other."""
    return any(a == b or a.startswith((f"{b}.", f"{b}[")) for a, b in ((one, other), (other, one)))


def as_ours(path: str) -> str:
    path = re.sub(r"\[([^\]]*[^\]\d][^\]]*)\]", r".\1", path)
    for pattern, ours in OWN_PATHS:
        path = re.sub(pattern, ours, path)
    return path


def is_told(path: str, ours: list[str]) -> bool:
    ways = [path, *(re.sub(pattern, other, path) for pattern, other in OTHERWISE)]
    return any(same(way, field) for way in ways for field in ours)


def test_there_are_about_as_many_right_ones_as_wrong_ones() -> None:
    taken = [asked for asked in ASKED if asked["code"] < 300]
    assert (len(ASKED), len(taken)) == (871, 323)


@for_each(name for name in BY_ID if name not in OTHERS)
def test_the_verdict_and_the_fields_are_those_of_a_real_one(name: str) -> None:
    asked: dict[str, Any] = BY_ID[name]
    ours = found_in(asked["object"])
    theirs = [as_ours(path) for path in asked["fields"] if not path.endswith(NOT_STORED)]
    assert bool(ours) == (asked["code"] >= 300)
    assert [path for path in theirs if not is_told(path, ours)] == []
    # What cannot be decoded is told without fields.
    beyond = [field for field in ours if theirs and not any(is_told(path, [field]) for path in theirs)]
    assert beyond == []


@for_each(sorted(OTHERS))
def test_the_others_are_those_that_are_known(name: str) -> None:
    refused = name in MORE_THAN_ASKED
    assert bool(found_in(BY_ID[name]["object"])) == refused
    assert refused == (BY_ID[name]["code"] < 300)


@for_each(asked["id"] for asked in ASKED if asked["code"] < 300)
def test_what_is_right_stays_right_when_what_is_private_is_gone(name: str) -> None:
    document = BY_ID[name]["object"]
    before = found_in(document)
    kept, _ = withhold_private([document])
    assert [found_in(left) for left in kept] == ([before] if kept else [])
