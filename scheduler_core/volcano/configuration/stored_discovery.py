"""What is stored of the configuration of Volcano's controllers: where HyperNodes are discovered, and by which
labels. Addresses and names of secrets of other sources are dropped.

Source: volcano v1.16 pkg/controllers/hypernode/api/types.go, discovery/label/label.go.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import Fields
from scheduler_core.volcano.model.label_discovery import SOURCES, TYPES

_KEPT = Fields(**{SOURCES: Fields("source enabled interval", config=Fields(TYPES))})


def is_controller_configuration(document: Any) -> bool:
    """Tell whether a document is the configuration of Volcano's controllers: a list of sources."""
    return isinstance(document, dict) and isinstance(document.get(SOURCES), list)


def keep_controller_configuration(document: dict[str, Any], dropped: Dropped) -> dict[str, Any]:
    """Return the sources, and of the labels' what they are by."""
    kept: dict[str, Any] = _KEPT(document, SOURCES, dropped)
    return kept
