"""What an API server says of its version is read in any form in which it is printed."""

from typing import Any

import msgspec
import pytest

from scheduler_core.objects.reading.foreign_forms import foreign_object
from scheduler_core.objects.reading.texts import read_text
from scheduler_core.objects.server_version import git_version

INFO = """{"major": "1", "minor": "30+", "gitVersion": "v1.30.5-gke.1014001", "gitCommit": "1",
 "gitTreeState": "clean", "buildDate": "2024-09-25T09:21:01Z", "goVersion": "go1.22.6",
 "compiler": "gc", "platform": "linux/amd64"}"""
CLIENT = """{"major": "1", "minor": "36", "gitVersion": "v1.36.1"}"""
YAML = """clientVersion:
  gitVersion: v1.36.1
  minor: "36"
kustomizeVersion: v5.7.1
serverVersion:
  gitVersion: v1.30.5-gke.1014001
  minor: "30"
"""
WORDS = "Client Version: v1.36.1\nKustomize Version: v5.7.1\nServer Version: v1.30.5-gke.1014001\n"
OLD_WORDS = """Client Version: version.Info{Major:"1", Minor:"22", GitVersion:"v1.22.0"}
Server Version: version.Info{Major:"1", Minor:"30", GitVersion:"v1.30.5-gke.1014001", GitCommit:"1"}
"""


@pytest.mark.parametrize(
    "text",
    [
        INFO,
        f'{{"clientVersion": {CLIENT}, "kustomizeVersion": "v5.7.1", "serverVersion": {INFO}}}',
        f'{{"clientVersion": {CLIENT}, "openshiftVersion": "4.17.3", "serverVersion": {INFO}}}',
        f'{{"info": {INFO}, "string": "v1.30.5-gke.1014001"}}',
        YAML,
        WORDS,
        OLD_WORDS,
        f"---\n{YAML}---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: shop}}\n",
        f'{INFO}\n{{"apiVersion": "v1", "kind": "Namespace", "metadata": {{"name": "shop"}}}}',
    ],
)
def test_the_server_s_version_is_read(text: str) -> None:
    objects = read_text(text.encode(), None).objects
    assert git_version(objects[0]) == "v1.30.5-gke.1014001"
    assert [one["metadata"]["name"] for one in objects[1:]] in ([], ["shop"])


@pytest.mark.parametrize(
    "document",
    [
        {"kind": "Pod", "serverVersion": {"gitVersion": "v1.30.0"}},
        {"serverVersion": "v1.30.0"},
        {"gitVersion": "main"},
        {"gitVersion": ["v1.30.0"]},
        {"metadata": {"name": "a"}, "gitVersion": "v1.30.0"},
        {"Server Version": {"a": 1}},
        {"info": {"gitVersion": "1.30\nx"}},
    ],
)
def test_what_is_no_answer_of_a_server_is_left_as_it_is(document: dict[str, Any]) -> None:
    assert read_text(msgspec.json.encode(document), None).objects == [document]


def test_a_client_alone_is_told() -> None:
    assert foreign_object({"clientVersion": {"gitVersion": "v1.36.1"}}).startswith("what kubectl says of its")
