"""Writes Lists of objects as YAML that kubectl, and our own reader, read back unchanged."""

import re
from collections.abc import Sequence
from typing import Any

import yaml

_PLAIN_TEXT = re.compile(r"[A-Za-z][A-Za-z0-9._/-]+", re.ASCII)
"""Texts that no YAML reader takes for anything else; PyYAML itself quotes words such as `on` or `null`."""


class _KubernetesDumper(yaml.CSafeDumper):
    """Quotes every text that some reader would take for a number or a boolean (`1e3`, `0o17`, `y`)."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write equal parts twice rather than as an alias."""
        return True


def _represent_text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    style = None if _PLAIN_TEXT.fullmatch(text) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_KubernetesDumper.add_representer(str, _represent_text)


_STYLE: dict[str, Any] = {
    "sort_keys": False,
    "allow_unicode": True,
    "default_flow_style": False,
    "encoding": "utf-8",
    "width": 2**31 - 1,
}


def list_yaml(items: Sequence[dict[str, Any]]) -> bytes:
    """Return a `List` of the objects as YAML, in their order."""
    head = b"apiVersion: v1\nkind: List\n"
    if not items:
        return head + b"items: []\n"
    parts = [yaml.dump([item], Dumper=_KubernetesDumper, **_STYLE) for item in items]
    return b"".join([head, b"items:\n", *parts])
