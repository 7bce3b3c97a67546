"""Documents as text to read and change: YAML, or indented JSON where YAML would keep everybody waiting.

Writing YAML takes some seconds a megabyte, a hundred times what JSON takes, and it holds the web process.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import yaml

YAML_LIMIT = 256 * 1024
"""Most bytes of compact JSON that are written as YAML."""

JSON_NOTE = "Too large to be written as YAML: shown as JSON, which can be read as YAML as well."

_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")

Writer = Callable[[Any], str]


def writer_for(documents: Any) -> Writer:
    """Return what writes these documents, all of which are shown together: `as_yaml` or `as_json`."""
    return as_json if len(json.dumps(documents)) > YAML_LIMIT else as_yaml


def note_on(writer: Writer) -> str:
    """Return the sentence for the reader who may expect YAML, empty if it is YAML."""
    return JSON_NOTE if writer is as_json else ""


def as_yaml(document: Any) -> str:
    """A document as YAML, in the order in which it was stored."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.dump(document, Dumper=dumper, sort_keys=False, allow_unicode=True, width=100)
    return text


def as_json(document: Any) -> str:
    """A document as indented JSON that a reader of YAML reads as the same document."""
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
