"""What is put in place of one text: of a name, a node's name, a label's value, an address."""

import re

from scheduler_core.objects.anonymising.api_words import has_only_api_words
from scheduler_core.objects.anonymising.known_names import is_public_key, parted
from scheduler_core.objects.anonymising.names import Names
from scheduler_core.objects.data_modules import data_modules

_HOSTNAMES = frozenset(("kubernetes.io/hostname", "beta.kubernetes.io/hostname", "metadata.name"))
_NODE_KINDS = frozenset(("Node", "CSINode"))
_WORDS = frozenset(
    f"{domain}{word}" for domain in ("kubernetes.io/", "beta.kubernetes.io/") for word in ("arch", "os")
)
_MACHINES = frozenset(("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"))
"""Types of machines are a cloud's words; how many volumes a node may have is read from them."""
_MACHINE = re.compile(r"[-A-Za-z0-9._]{1,63}")
_MODEL = re.compile(r"[-+A-Za-z0-9 ._()]*")
_TELLING = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9]{11,}")
"""An address, or a number as long as that of an account: it is no amount."""
_PLAIN_VALUE = re.compile(r"-?[0-9]+(?:\.[0-9]+)?|true|false|True|False")
_HERE = ("0.0.0.0", "127.0.0.1", "::", "::1")  # noqa: S104 - names of addresses, none is listened on
_ZONES = "__"
"""Divides the zones of a volume."""
_OCTET = 256


class Texts:
    """What is put in place of texts.

    `numeric`: keys of labels whose values are compared as numbers somewhere. `addresses`: the addresses that
    were seen so far, by their numbers.
    """

    def __init__(self, names: Names, numeric: set[str]) -> None:
        self.names = names
        self.numeric = numeric
        self._addresses: dict[str, int] = {}
        modules = list(data_modules("anonymised"))
        self._node_keys = _HOSTNAMES.union(*(module.NODE_KEYS for module in modules))
        self._node_kinds = _NODE_KINDS.union(*(module.NODE_KINDS for module in modules))
        self._word_keys = _WORDS.union(*(module.WORD_KEYS for module in modules))

    def name(self, text: str) -> str:
        """Return a name in place of another; names of public projects' things stay."""
        before, own, behind = parted(text)
        if before:
            self.names.kept(before)
        return f"{before}{self.names.name(own) if own else ''}{behind}"

    def node(self, text: str) -> str:
        """Return a name in place of a node's."""
        return self.names.node(text)

    def value(self, key: str, text: str) -> str:
        """Return a value in place of a label's, as its key has it."""
        if key in self._node_keys:
            return self.names.node(text) if text else text
        telling = _TELLING.search(text) is not None
        if not text or (key in _MACHINES and _MACHINE.fullmatch(text) and not telling):
            return text
        if key in self._word_keys and has_only_api_words(text) and not telling:
            return text
        stays = key in self.numeric or (self.is_public(key) and not telling)
        if stays and _PLAIN_VALUE.fullmatch(text):
            return text
        return _ZONES.join(map(self.names.label, text.split(_ZONES)))

    def model(self, text: str) -> str:
        """Return the type of a card, or a number, as it is, and a name in place of anything else."""
        return text if _MODEL.fullmatch(text) and not _TELLING.search(text) else self.name(text)

    def word(self, text: str) -> str:
        """Return what holds nothing but words of an API and numbers as it is, a name in place of another."""
        return text if has_only_api_words(text) and not _TELLING.search(text) else self.name(text)

    def is_public(self, key: str) -> bool:
        """Tell whether a key is a public project's."""
        return is_public_key(key)

    def is_node_key(self, key: str) -> bool:
        """Tell whether the value under a key of a label or annotation is the name of a node."""
        return key in self._node_keys

    def is_word_key(self, key: str) -> bool:
        """Tell whether the value under a key is one of a few words of an API."""
        return key in self._word_keys

    def is_named_as_node(self, kind: str) -> bool:
        """Tell whether objects of a kind have the name of the node that they are about."""
        return kind in self._node_kinds

    def address(self, text: str) -> str:
        """Return an IP address in place of another: one of a range that is for tests alone (RFC 2544)."""
        if text in _HERE:
            return text
        number = self._addresses.setdefault(text, len(self._addresses))
        return f"198.18.{number // _OCTET % _OCTET}.{number % _OCTET}"
