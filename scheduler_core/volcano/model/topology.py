"""How far apart in the network the pods of a job, or of a part of it, may be.

Source: volcano v1.16 pkg/scheduler/framework/session.go adjustNetworkTopologySpec.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scheduler_core.volcano.model.job_objects import NetworkTopology


@dataclass
class Topology:
    """`tier` is the highest allowed, None where none is known; a session settles it as it opens."""

    mode: str
    tier: int | None
    tier_name: str

    @classmethod
    def of(cls, source: NetworkTopology | None) -> Topology | None:
        """Return what an object says."""
        if source is None:
            return None
        return cls(source.mode, source.highest_tier_allowed, source.highest_tier_name)

    @property
    def hard_tier(self) -> int | None:
        """The tier that pods are kept within; without one even the mode `hard` keeps nothing together."""
        return self.tier if self.mode == "hard" else None

    def settle(self, tiers: Mapping[str, int], soft: int) -> None:
        """Look a tier's name up, and let soft count as hard within a tier."""
        if self.tier is None and self.tier_name:
            self.tier = tiers.get(self.tier_name)
        if self.mode == "soft":
            self.mode, self.tier = "hard", soft
