"""Derive scheduler_core/objects/validation/schema.json: the kinds that are read, versions, fields and types.

    go mod download -json k8s.io/kubernetes@v1.36.1     # tells the folder (`Dir`); likewise other releases
    git clone https://github.com/volcano-sh/volcano     # at the commit that is simulated
    python scripts/derive_schema.py --volcano VOLCANO KUBERNETES [KUBERNETES ...]

In come Kubernetes' OpenAPI (api/openapi-spec/swagger.json) of several releases and Volcano's custom resource
definitions (config/crd). A field or version is known if one of these has it: dumps of old clusters are read
too. Where releases differ in the type of a value, nothing is said of it.

The table in the repository is made of Kubernetes 1.36.1, 1.35.0, 1.34.1, 1.30.14, 1.26.15, 1.22.17, 1.18.20,
1.13.12 and 1.8.15, and of Volcano 1.16 (ed72c7c81).
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scheduler_core.objects.kinds import (  # noqa: E402 (the path comes first)
    READ_KINDS,
    SCHEDULER_CONFIGURATION,
    Kind,
)
from scheduler_core.objects.own_kinds import OWN_KINDS  # noqa: E402

TARGET = ROOT / "scheduler_core" / "objects" / "validation" / "schema.json"
KINDS = READ_KINDS - {SCHEDULER_CONFIGURATION} | OWN_KINDS

TIME = "Time"
LEAVES = ("string", "integer", "number", "boolean")
NAMED_LEAVES = {
    ".v1.Time": TIME,
    ".v1.MicroTime": TIME,
    ".resource.Quantity": "Quantity",
    ".intstr.IntOrString": "IntOrString",
}
"""Definitions of values that are no objects."""
PLAIN = ("", *LEAVES, *NAMED_LEAVES.values())
"""Types below which nothing is."""
SAME_GROUP = {"extensions": "apps"}
"""Groups whose kinds have moved to another one."""
UNREAD = ("managedFields",)
"""Fields that API servers alone write, and of which nothing is told below."""
EMBEDDED = {
    "metadata": "meta.ObjectMeta",
    "template": "core.PodTemplateSpec",
    "volumeClaim": "core.PersistentVolumeClaimSpec",
}
"""What custom resources hold of Kubernetes' own, by the field that holds it."""

Schema = dict[str, Any]
Types = dict[str, dict[str, str]]
"""The fields of each type, each with the type of its value: `[]` before that of a list's items, `{}` before
that of a map's values. Empty: nothing is known of it. A text of a few has these after it: `string|A|B`."""
Versions = dict[str, set[str]]
"""The apiVersions of each kind."""


def main() -> None:
    """Read what the command line names and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("kubernetes", nargs="+", type=Path, help="folders of k8s.io/kubernetes")
    parser.add_argument("--volcano", required=True, type=Path, help="a checkout of Volcano")
    given = parser.parse_args()
    types: Types = {}
    kinds: dict[str, str] = {}
    versions: Versions = defaultdict(set)
    for folder in given.kubernetes:
        definitions = json.loads((folder / "api/openapi-spec/swagger.json").read_text())["definitions"]
        kinds |= take_kubernetes(definitions, types, versions)
    for path in sorted((given.volcano / "config/crd").glob("*/bases/*.yaml")):
        kinds |= take_custom_resource(yaml.safe_load(path.read_text()), types, versions)
    if missing := {f"{kind.group}/{kind.name}" for kind in KINDS} - kinds.keys():
        sys.exit(f"not found: {', '.join(sorted(missing))}")
    TARGET.write_text(rendered(kinds, types, versions))


def take_kubernetes(definitions: dict[str, Schema], types: Types, versions: Versions) -> dict[str, str]:
    """Add the types of a release; return those of the kinds that are read."""
    found = {}
    for name, definition in definitions.items():
        short = short_name(name)
        if short is None:
            continue
        fields = types.setdefault(short, {})
        for field, value in (definition.get("properties") or {}).items():
            kind = "" if field in UNREAD else value_type(value, definitions)
            fields[field] = joined(fields[field], kind) if field in fields else kind
        for kind, version in kinds_of(definition):
            if kind in KINDS:
                found[f"{kind.group}/{kind.name}"] = short
                versions[f"{kind.group}/{kind.name}"].add(version)
    return found


def joined(known: str, other: str) -> str:
    """Return the type of a field of which two releases say this: the objects' own, nothing if they differ."""
    if known == other or not other or inner_type(known) not in PLAIN:
        return known
    return other if not known or inner_type(other) not in PLAIN else ""


def inner_type(value: str) -> str:
    """Return the type of a value, of a list's items or of a map's values; nothing for a text of a few."""
    return value.lstrip("[]{}").partition("|")[0]


def short_name(definition: str) -> str | None:
    """Return `core.PodSpec` for `io.k8s.api.core.v1.PodSpec`; None for what is no part of an API."""
    parts = definition.split(".")
    if not definition.startswith(("io.k8s.api.", "io.k8s.apimachinery.")) or len(parts) < 4:
        return None
    group = SAME_GROUP.get(parts[-3], parts[-3])
    return f"{group}.{parts[-1]}"


def kinds_of(definition: Schema) -> Iterator[tuple[Kind, str]]:
    """Yield the kinds that a definition is of, by the group to which they belong today, with apiVersion."""
    for entry in definition.get("x-kubernetes-group-version-kind") or ():
        group = SAME_GROUP.get(entry["group"], entry["group"])
        version = f"{entry['group']}/{entry['version']}" if entry["group"] else entry["version"]
        yield Kind(group, entry["kind"]), version


def value_type(value: Schema, definitions: dict[str, Schema]) -> str:
    """Return the type of a field's value."""
    if value.get("type") == "array":
        return f"[]{value_type(value['items'], definitions)}"
    if isinstance(value.get("additionalProperties"), dict):
        return f"{{}}{value_type(value['additionalProperties'], definitions)}"
    name = value.get("$ref", "").rpartition("/")[2]
    if not name:
        return value["type"] if value.get("type") in LEAVES else ""
    for end, leaf in NAMED_LEAVES.items():
        if name.endswith(end):
            return leaf
    return (short_name(name) or "") if definitions.get(name, {}).get("properties") else ""


def take_custom_resource(document: Schema, types: Types, versions: Versions) -> dict[str, str]:
    """Add the types of a custom resource in all its versions; return its own if it is read."""
    kind = Kind(document["spec"]["group"], document["spec"]["names"]["kind"])
    if kind not in KINDS:
        return {}
    root = f"{kind.name}.{kind.group}"
    for version in document["spec"]["versions"]:
        take_custom_type(version["schema"]["openAPIV3Schema"], root, types)
        versions[f"{kind.group}/{kind.name}"].add(f"{kind.group}/{version['name']}")
    return {f"{kind.group}/{kind.name}": root}


def take_custom_type(schema: Schema, name: str, types: Types) -> str:
    """Add the type of a value and those below; return its name, empty where nothing is known of it."""
    if schema.get("type") == "array":
        return f"[]{take_custom_type(schema['items'], name, types)}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"{{}}{take_custom_type(schema['additionalProperties'], name, types)}"
    if schema.get("format") == "date-time":
        return TIME
    if schema.get("x-kubernetes-int-or-string"):
        return "IntOrString"
    if schema.get("type") in LEAVES:
        return "|".join([schema["type"], *schema.get("enum", ())])
    if not schema.get("properties") or schema.get("x-kubernetes-preserve-unknown-fields"):
        return ""
    fields = types.setdefault(name, {})
    for field, value in schema["properties"].items():
        fields[field] = EMBEDDED.get(field) or take_custom_type(value, f"{name}.{field}", types)
    return name


def rendered(kinds: dict[str, str], types: Types, versions: Versions) -> str:
    """Return the kinds and all types that they reach, a type a line."""
    lines = {name: types[name] for name in reachable(kinds.values(), types)}
    table = {
        "kinds": dict(sorted(kinds.items())),
        "versions": {kind: " ".join(sorted(versions[kind])) for kind in sorted(kinds)},
        "types": {
            name: " ".join(f"{field}:{inner}" if inner else field for field, inner in sorted(fields.items()))
            for name, fields in sorted(lines.items())
        },
    }
    return json.dumps(table, indent=1) + "\n"


def reachable(names: Iterable[str], types: Types) -> set[str]:
    """Return the types that are named, and those that these hold."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            inner = map(inner_type, types[name].values())
            waiting += [value for value in inner if value not in PLAIN]
    return found


if __name__ == "__main__":
    main()
