"""What stays of a ConfigMap: configurations of schedulers in its entries, as far as the engine reads them.

An entry is kept only if it can be read as one, and then rendered anew: comments, other documents beside it,
and fields that no simulation needs, such as paths, addresses and keys, are gone.
"""

from functools import cache
from typing import Any

import msgspec

from scheduler_core.objects.data_modules import data_modules
from scheduler_core.objects.kinds import SCHEDULER_CONFIGURATION
from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import MISPLACED, Fields
from scheduler_core.objects.privacy.own_configuration import OwnConfiguration
from scheduler_core.objects.privacy.pod_fields import METADATA
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.object_lists import read_yaml

GROUP, KIND = SCHEDULER_CONFIGURATION
KUBE_SCHEDULER = "kube-scheduler"
MAX_ENTRY_CHARACTERS = 1024 * 1024
"""An API server takes no larger ConfigMap."""

_ARGUMENTS = Fields(
    "apiVersion kind addedAffinity bindTimeoutSeconds bindingTimeout defaultConstraints defaultingType"
    " filterTimeout hardPodAffinityWeight ignorePreferredTermsOfExistingPods ignoredResources"
    " ignoredResourceGroups minCandidateNodesAbsolute minCandidateNodesPercentage resources scoringStrategy"
    " shape"
)
"""The arguments of kube-scheduler's own plugins; others' may hold addresses and tokens."""
_EXTENDER = (
    "filterVerb preemptVerb prioritizeVerb weight bindVerb enableHTTPS httpTimeout nodeCacheCapable"
    " managedResources ignorable"
)


def _configuration(extender: Fields) -> Fields:
    return Fields(
        "apiVersion kind parallelism percentageOfNodesToScore podInitialBackoffSeconds podMaxBackoffSeconds"
        " featureGates",
        metadata=METADATA,
        profiles=Fields(
            "schedulerName percentageOfNodesToScore plugins", pluginConfig=Fields("name", args=_ARGUMENTS)
        ),
        extenders=extender,
    )


CONFIGURATION = _configuration(Fields(_EXTENDER))
"""Of what is imported with a cluster: where its extenders are is nobody's business."""
CONFIGURATION_OF_A_SCENARIO = _configuration(
    Fields(f"urlPrefix {_EXTENDER}", tlsConfig=Fields("insecure serverName caData"))
)
"""Of what somebody gives to a scenario, whose addresses were checked: its extenders are to be asked."""


def keep_configurations(data: Any, place: str, dropped: Dropped) -> Any:
    """Return the entries of a ConfigMap that hold a scheduler's configuration, without anything else."""
    if not isinstance(data, dict):
        dropped.count_field(place, MISPLACED)
        return {}
    kept = {}
    for name, text in data.items():
        documents = [keep(document, dropped) for (_, _, _, keep), document in _told_in(text)]
        if documents:
            kept[name] = _rendered(documents)
        else:
            dropped.count_field(place, "entries")
    return data if kept == data else kept


def configurations_in(text: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return the configurations in an entry of a ConfigMap, each after the name of its scheduler."""
    return [(told.owner, document) for told, document in _told_in(text)]


def _told_in(text: Any) -> list[tuple[OwnConfiguration, dict[str, Any]]]:
    if not isinstance(text, str) or len(text) > MAX_ENTRY_CHARACTERS:
        return []
    if not any(all(word in text for word in one.words) for one in _known()):
        return []
    try:
        documents = read_yaml(text.encode())
    except (BadInput, UnicodeEncodeError):
        return []
    return [(told, document) for document in documents if (told := _told(document))]


def _told(document: Any) -> OwnConfiguration | None:
    """Return whose configuration a document is, None for none."""
    return next((one for one in _known() if one.is_one(document)), None)


def _keep(document: dict[str, Any], dropped: Dropped) -> dict[str, Any]:
    kept: dict[str, Any] = CONFIGURATION(document, KIND, dropped)
    return kept


def _is_configuration(document: dict[str, Any]) -> bool:
    version = document.get("apiVersion")
    return document.get("kind") == KIND and isinstance(version, str) and version.startswith(f"{GROUP}/")


@cache
def _known() -> tuple[OwnConfiguration, ...]:
    """Return the configurations that are told: kube-scheduler's, and those that other schedulers bring.

    Of two with the same form the one that needs more words comes first.
    """
    own = (one for module in data_modules("stored") for one in module.CONFIGURATIONS)
    told = (OwnConfiguration(KUBE_SCHEDULER, (KIND,), _is_configuration, _keep), *own)
    return tuple(sorted(told, key=lambda one: -len(one.words)))


def _rendered(documents: list[dict[str, Any]]) -> str:
    """Return the documents as indented JSON, which is YAML too; several are divided as in YAML."""
    texts = [msgspec.json.format(msgspec.json.encode(document)).decode() for document in documents]
    return "\n---\n".join(texts) + "\n"
