"""What a scheduler said of a pod: which of its words stay.

Taints and resources in it have other names. A verdict with any word that Kubernetes' own plugins don't use is
left out: a plugin of somebody's own may name anything.
"""

import re
from functools import cache

from scheduler_core.objects.anonymising.texts import Texts
from scheduler_core.objects.data_modules import data_modules

_TAINT = re.compile(r"\{([^{}:]*): ([^{}]*)\}")
_RESOURCE = re.compile(r"Insufficient ([a-z0-9][-a-z0-9./A-Z]*[a-z0-9A-Z])")
_WORDS_TEXT = (
    "nodes are available were is node node(s) had untolerated taint taint(s) taints didn't match pod's pod "
    "affinity selector affinity/selector anti-affinity rules satisfy existing pods topology spread "
    "constraints missing required label volume conflict have free ports for the requested "
    "unschedulable exceed max count no available persistent volumes to bind insufficient too many not "
    "found port find persistentvolume's matching by in use with plugin as preemption victims on "
    "incoming claim claims same name and already readwriteoncepod access mode unavailable due storage "
    "did enough"
)
_WORDS = frozenset(_WORDS_TEXT.split())


@cache
def _known_words() -> frozenset[str]:
    own = (word for module in data_modules("anonymised") for word in module.VERDICT_WORDS)
    return _WORDS.union(word.lower() for word in own)


def changed_verdict(text: str, texts: Texts) -> str | None:
    """Return a verdict with other names, None if it may hold what nobody can tell."""
    rest = _RESOURCE.sub(" ", _TAINT.sub(" ", text))
    words = re.findall(r"[^\s,.:;]+", rest)
    known = _known_words()
    if not all(word.lower() in known or re.fullmatch("[0-9/]+", word) for word in words):
        return None
    text = _TAINT.sub(lambda found: f"{{{texts.name(found[1])}: {texts.value(found[1], found[2])}}}", text)
    return _RESOURCE.sub(lambda found: f"Insufficient {texts.name(found[1])}", text)
