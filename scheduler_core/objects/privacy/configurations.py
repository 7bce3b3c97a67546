"""What stays of a ConfigMap: the KubeSchedulerConfigurations in its entries, as far as the engine reads them.

An entry is kept only if it can be read as one, and then rendered anew: comments, other documents beside it,
and fields that no simulation needs, such as paths, addresses and keys, are gone.
"""

from typing import Any

import msgspec

from scheduler_core.objects.kinds import SCHEDULER_CONFIGURATION
from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import MISPLACED, Fields
from scheduler_core.objects.privacy.pod_fields import METADATA
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading import read_yaml

GROUP, KIND = SCHEDULER_CONFIGURATION
MAX_ENTRY_CHARACTERS = 1024 * 1024
"""An API server takes no larger ConfigMap."""

_ARGUMENTS = Fields(
    "apiVersion kind addedAffinity bindTimeoutSeconds bindingTimeout defaultConstraints defaultingType"
    " filterTimeout hardPodAffinityWeight ignorePreferredTermsOfExistingPods ignoredResources"
    " ignoredResourceGroups minCandidateNodesAbsolute minCandidateNodesPercentage resources scoringStrategy"
    " shape"
)
"""The arguments of kube-scheduler's own plugins; others' may hold addresses and tokens."""
CONFIGURATION = Fields(
    "apiVersion kind parallelism percentageOfNodesToScore podInitialBackoffSeconds podMaxBackoffSeconds",
    metadata=METADATA,
    profiles=Fields(
        "schedulerName percentageOfNodesToScore plugins", pluginConfig=Fields("name", args=_ARGUMENTS)
    ),
    extenders=Fields(
        "filterVerb preemptVerb prioritizeVerb weight bindVerb enableHTTPS httpTimeout nodeCacheCapable"
        " managedResources ignorable"
    ),
)

VOLCANO_CONFIGURATION = Fields("actions tiers schedule-period", configurations=Fields("name arguments"))
"""Without its metrics, which have an address. Unknown flags stay: a run tells that it ignores them."""


def keep_configurations(data: Any, place: str, dropped: Dropped) -> Any:
    """Return the entries of a ConfigMap that hold a scheduler's configuration, without anything else."""
    if not isinstance(data, dict):
        dropped.count_field(place, MISPLACED)
        return {}
    kept = {}
    for name, text in data.items():
        documents = _configurations(text)
        if documents:
            kept[name] = _rendered([CONFIGURATION(document, KIND, dropped) for document in documents])
        else:
            dropped.count_field(place, "entries")
    return data if kept == data else kept


def _configurations(text: Any) -> list[dict[str, Any]]:
    if not isinstance(text, str) or KIND not in text or len(text) > MAX_ENTRY_CHARACTERS:
        return []
    try:
        documents = read_yaml(text.encode())
    except (BadInput, UnicodeEncodeError):
        return []
    return [document for document in documents if _is_configuration(document)]


def _is_configuration(document: dict[str, Any]) -> bool:
    version = document.get("apiVersion")
    return document.get("kind") == KIND and isinstance(version, str) and version.startswith(f"{GROUP}/")


def _rendered(documents: list[dict[str, Any]]) -> str:
    """Return the documents as indented JSON, which is YAML too; several are divided as in YAML."""
    texts = [msgspec.json.format(msgspec.json.encode(document)).decode() for document in documents]
    return "\n---\n".join(texts) + "\n"
