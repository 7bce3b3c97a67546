"""The image, the Compose file and the Helm chart name only what the code has, and all parts of it."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import ValidationError, validate

from dashboard.command_line.main import main
from dashboard.command_line.part import REAPER, WEB
from dashboard.environment import VARIABLES
from dashboard.live.resources import _NEVER
from dashboard.services.background.attendance import PARTS
from dashboard.supervisor.parts import WORKERS
from scheduler_core.objects.kinds import READ_KINDS
from scheduler_core.schedulers.registry import kinds

PROJECT = Path(__file__).resolve().parent.parent
CHART = PROJECT / "deploy/helm/sandtable"
DOCKERFILE = (PROJECT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((PROJECT / "deploy/compose.yaml").read_text())
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA = json.loads((CHART / "values.schema.json").read_text())
READER = yaml.safe_load((CHART / "files/reader.yaml").read_text())
TEMPLATES = "".join(path.read_text() for path in sorted(CHART.glob("templates/*.yaml")))
HELPERS = (CHART / "templates/_helpers.tpl").read_text()
ALL_PARTS = {WEB, *WORKERS, REAPER}
UNSET_BY_CHARTS = {"DATA_DIR", "HOST", "PORT", "SANDTABLE_DEBUG"}
"""The image sets the first three; nobody shall serve tracebacks."""


def of_sandtable() -> dict[str, dict[str, Any]]:
    return {name: one for name, one in COMPOSE["services"].items() if "build" in one}


def test_every_version_is_the_products() -> None:
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (version, version)
    assert {one["image"] for one in of_sandtable().values()} == {f"sandtable:{version}"}


def test_images_of_others_are_pinned() -> None:
    images = [one["image"] for one in COMPOSE["services"].values()]
    images.append("python:" + re.findall(r"^ARG PYTHON=(.+)$", DOCKERFILE, re.MULTILINE)[0])
    assert [image for image in images if not re.search(r":\d+\.\d+(\.\d+)?(-\S+)?$", image)] == []
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["python:${PYTHON}"] * 2


def test_compose_starts_every_part_by_a_command_that_there_is() -> None:
    commands = {name: one["command"] for name, one in of_sandtable().items()}
    assert commands.pop("prepare") == ["manage", "prepare"]
    assert commands == {name: ["part", name] for name in ALL_PARTS}
    for one in COMPOSE["services"].values():
        assert set(one.get("depends_on", {})) <= set(COMPOSE["services"])
    assert all(one["read_only"] and one["cap_drop"] == ["ALL"] for one in of_sandtable().values())


def test_the_chart_has_a_deployment_for_every_part_and_a_hook() -> None:
    listed = re.search(r"range \$part := list (.+) \}\}", TEMPLATES)
    assert listed is not None
    assert set(re.findall(r'"(\w+)"', listed[1])) == ALL_PARTS - {WEB} == set(PARTS)
    assert '"arguments" (list "part" "web")' in TEMPLATES
    assert '"arguments" (list "part" $part)' in TEMPLATES
    assert '"arguments" (list "manage" "prepare")' in TEMPLATES
    assert ALL_PARTS | {"prepare"} <= {
        name for name, one in VALUES.items() if isinstance(one, dict) and "resources" in one
    }


def test_health_checks_call_a_command_that_there_is() -> None:
    assert 'CMD ["sandtable", "healthy"]' in DOCKERFILE
    assert '(list "sandtable" "healthy")' in TEMPLATES
    assert {"healthy", "part", "manage"} <= set(main.list_commands(None))  # type: ignore[arg-type]


def test_every_variable_that_is_set_is_one_of_the_products() -> None:
    own = re.findall(r"\b(?:SANDTABLE_\w+|DATABASE_URL)\b", HELPERS)
    assert set(own) <= set(VARIABLES)
    for one in of_sandtable().values():
        assert {name for name in one["environment"] if not name.startswith("OTEL_")} <= set(VARIABLES)
    assert set(re.findall(r"\b(DATA_DIR|HOST|PORT)=", DOCKERFILE)) == {"DATA_DIR", "HOST", "PORT"}
    free = SCHEMA["definitions"]["variable"]["enum"]
    assert free == [name for name in VARIABLES if name not in {*own, *UNSET_BY_CHARTS}]


def merged(values: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    found = dict(values)
    for name, value in more.items():
        both = isinstance(value, dict) and isinstance(found.get(name), dict)
        found[name] = merged(found[name], value) if both else value
    return found


@pytest.mark.parametrize("name", ["small", "team"])
def test_examples_of_values_fit_the_schema_and_faults_are_refused(name: str) -> None:
    values = merged(VALUES, yaml.safe_load((CHART / f"ci/{name}-values.yaml").read_text()))
    validate(values, SCHEMA)
    faults = (
        {"hosts": []},
        {"env": {"NOPE": "1"}},
        {"env": {"OTEL_": "1"}},
        {"https": True, "trustedProxies": []},
        {"repicas": 2},
        {"monitoring": {"serviceMonitor": {"enabled": True, "token": {"name": ""}}}},
    )
    for fault in faults:
        with pytest.raises(ValidationError):
            validate(merged(values, fault), SCHEMA)


def test_the_role_is_the_guides_and_lists_every_kind_that_is_read() -> None:
    guide = (PROJECT / "docs/guides/ask-a-live-cluster.md").read_text()
    (role,) = (yaml.safe_load(text) for text in re.findall(r"```yaml\n(.+?)```", guide, re.DOTALL))
    assert role["rules"] == READER
    assert {verb for rule in READER for verb in rule["verbs"]} == {"get", "list", "watch"}
    wanted = READ_KINDS.union(*(one.own_kinds for one in kinds().values())) - _NEVER
    for kind in wanted:
        assert any(
            kind.group in rule["apiGroups"] and {"*", _plural(kind.name)} & set(rule["resources"])
            for rule in READER
            if "list" in rule["verbs"]
        ), kind


def _plural(kind: str) -> str:
    name = kind.lower()
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}es" if name.endswith("s") else f"{name}s"
