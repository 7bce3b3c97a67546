"""Whether a namespace's quotas leave room for what a pod would hold.

Source: HAMi v2.10.0 pkg/device/nvidia/device.go fitQuota, pkg/scheduler/webhook.go fitResourceQuota.
"""

from __future__ import annotations

from scheduler_core.hami.rules.cards import Taken
from scheduler_core.hami.rules.holdings import collapse
from scheduler_core.hami.rules.pod_request import Ask
from scheduler_core.hami.rules.quota import Quotas


def within_quota(quotas: Quotas, ask: Ask, vendor: str, pieces: list[list[Taken]]) -> bool:
    """Tell whether the pod's namespace may have what the pod would then hold of a vendor's cards."""
    held = collapse({vendor: pieces}, ask.init_count)[vendor]
    memory, cores = sum(card.memory for card in held), sum(card.cores for card in held)
    return quotas.fits(ask.namespace, vendor, memory, cores)
