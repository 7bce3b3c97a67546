"""How HAMi's annotations and its device configuration are anonymised, as data.

Annotations name cards by ids. An id is a name, or the name of a node with the vendor's word and a number.
"""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from scheduler_core.objects.anonymising.texts import Texts

DOMAINS = (
    "hami.io",
    "baidu.com",
    "kunlunxin.com",
    "cambricon.com",
    "hygon.com",
    "iluvatar.ai",
    "metax-tech.com",
    "mthreads.com",
    "mthreads.ai",
    "enflame.com",
    "birentech.com",
    "vastaitech.com",
    "huawei.com",
)
PLAIN_WORDS = frozenset(("hami",))
NODE_KEYS = frozenset(("hami.io/vgpu-node", "aws.amazon.com/predicate-node", "mthreads.com/predicate-node"))
NODE_KINDS: frozenset[str] = frozenset()
VERDICT_WORDS = frozenset(
    (
        "NodeUnfitPod",
        "unregistered",
        "CardTypeMismatch",
        "CardUuidMismatch",
        "CardTimeSlicingExhausted",
        "CardComputeUnitsExhausted",
        "CardInsufficientMemory",
        "CardInsufficientCore",
        "CardNotHealth",
        "CardCordoned",
        "NumaNotFit",
        "ExclusiveDeviceAllocateConflict",
        "CardNotFoundCustomFilterRule",
        "CardMigTopologyInfeasible",
        "NodeInsufficientDevice",
        "AllocatedCardsInsufficientRequest",
        "ResourceQuotaNotFit",
        "ModeNotFit",
        "CardUnhealthy",
        "CardQosPolicyMismatch",
        "CardAppClassMismatch",
    )
)
"""Its reasons, as kube-scheduler passes them on in what it says of a pod."""
WORD_KEYS = frozenset(
    (
        "hami.io/webhook",
        "hami.io/bind-phase",
        "hami.io/node-scheduler-policy",
        "hami.io/gpu-scheduler-policy",
        "hami.io/device-scoring-weights",
        "nvidia.com/vgpu-mode",
        "huawei.com/vnpu-mode",
        "metax-tech.com/sgpu-app-class",
        "metax-tech.com/sgpu-qos-policy",
    )
)
_WORDS_TEXT = (
    "binpack spread numa mutex topology-aware hami-core hami-vnpu-core mig mps ignore true false"
    " allocating success failed best-effort fixed-share burst-share online offline slot core memory none"
)
API_WORDS = frozenset(_WORDS_TEXT.split())
"""Words that stay under these keys."""
FIELDS: dict[str, str] = {}
_OF_NODE = re.compile(r"(.+)-(AWSNeuron|mthreads|kunlun|cambricon-mlu)(-[0-9]+)")
_ID_FIELDS = frozenset(("id", "uuid", "gpuuuid", "miguuid"))
_KNOWN_FIELDS_TEXT = (
    "type mode model bdf qospolicy index minor name profile devicestrategy aic networkid linkzone profiles"
)
_KNOWN_FIELDS = frozenset(_KNOWN_FIELDS_TEXT.split())
"""Of cards in JSON: their texts stay. Texts of other fields may be anything."""
_MODEL = re.compile(r"[A-Za-z0-9][-A-Za-z0-9 ._,]{0,200}")
_INSTANT = re.compile(r"(?:[0-9]{4}-[-+0-9T:Z]*(?:\.[0-9]+Z?)?)?")
_HANDSHAKE = re.compile(r"(?:Requesting|Reported|Deleted)(?:[-0-9.:=+ _TZm]|[A-Z]{3,4}){0,80}")


def _card(text: str, texts: Texts) -> str:
    """Return the id of a card in place of another."""
    found = _OF_NODE.fullmatch(text)
    if found and found[1] in texts.names.nodes:
        return f"{texts.node(found[1])}-{found[2]}{found[3]}"
    return texts.name(text)


def _cards(text: str, texts: Texts) -> str:
    """Return ids of cards that commas divide; spaces around them count, and stay."""
    return ",".join(re.sub(r"\S+", lambda found: _card(found[0], texts), part) for part in text.split(","))


def _registered(text: str, texts: Texts) -> str | None:
    """Return a registration, or the links between cards, as JSON or in lines."""
    if text.lstrip()[:1] in ("[", "{"):
        try:
            found = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            return None
        return msgspec.json.encode(_json(found, texts)).decode()
    return _given(text, texts)


def _json(value: Any, texts: Texts, field: str = "") -> Any:
    if isinstance(value, dict):
        renamed = field == "score"
        inner = {
            key: _json(one, texts, field if field == "profiles" else key.lower())
            for key, one in value.items()
        }
        return {(_card(key, texts) if renamed else key): one for key, one in inner.items() if one is not None}
    if isinstance(value, list):
        return [_json(one, texts, field) for one in value]
    if not isinstance(value, str) or not value:
        return value
    if field in _KNOWN_FIELDS:
        return texts.model(value)
    return _card(value, texts) if field in _ID_FIELDS else None


def _given(text: str, texts: Texts) -> str:
    """Return cards of the form `id,model,…:` by container, with other ids."""
    return ";".join(
        ":".join(
            f"{_card(id_, texts)}{comma}{','.join(map(texts.model, rest.split(',')))}"
            for id_, comma, rest in (part.partition(",") for part in piece.split(":"))
        )
        for piece in text.split(";")
    )


def _lock(text: str, texts: Texts) -> str:
    """Return a node's lock: when, and by which pod."""
    instant, comma, pod = text.partition(",")
    when = instant if _INSTANT.fullmatch(instant) else texts.name(instant)
    return f"{when}{comma}{','.join(map(texts.name, pod.split(',')))}"


def _word(pattern: re.Pattern[str]) -> Callable[[str, Texts], str | None]:
    return lambda text, texts: text if pattern.fullmatch(text) or not text else None


def _models(text: str, texts: Texts) -> str | None:
    """Return types of cards; an address in their place is dropped."""
    if text and not _MODEL.fullmatch(text):
        return None
    return text if all(texts.model(one) == one for one in text.split(",")) else None


ANNOTATIONS: tuple[tuple[re.Pattern[str], Callable[[str, Texts], str | None]], ...] = (
    (re.compile(r"hami\.io/node-handshake.*"), _word(_HANDSHAKE)),
    (re.compile(r"hami\.io/node-.*(?:register|score).*|metax-tech\.com/node-gpu-devices"), _registered),
    (re.compile(r"hami\.io/vgpu-mig-allocations|metax-tech\.com/gpu-devices-allocated"), _registered),
    (re.compile(r".+/.*devices-(?:allocated|to-allocate)|hami\.io/kunlun-allocated"), _given),
    (re.compile(r"huawei\.com/Ascend.*"), _registered),
    (re.compile(r".+/(?:no|no-)?use-.*uuid|hami\.io/device-cordon"), _cards),
    (re.compile(r".+/(?:no)?use-(?:gpu|dcu)type"), _models),
    (re.compile(r"hami\.io/mutex\.lock|cambricon\.com/dsmlu\.lock"), _lock),
    (re.compile(r"hami-vnpu-core"), _word(re.compile("true|false"))),
    (re.compile(r"metax-tech\.com/gpu\.topology\..*|enflame\.com/gcu-drs-capacity"), _registered),
)


def _changed(document: Any, texts: Texts) -> Any:
    """Return a device configuration in which resources and runtime classes have other names."""
    if isinstance(document, list):
        return [_changed(one, texts) for one in document]
    if not isinstance(document, dict):
        return texts.model(document) if isinstance(document, str) else document
    return {
        key: texts.name(value)
        if isinstance(value, str) and value and (key.startswith("resource") or key == "runtimeClassName")
        else _changed(value, texts)
        for key, value in document.items()
    }


CONFIGURATIONS = {"hami": _changed}
