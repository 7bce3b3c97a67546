"""Why a pod's volumes cannot be counted or reached; each scheduler finds its own words for it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class UnsupportedDiskKind:
    """An Azure disk that its CSI driver does not know as it is."""

    kind: str


@dataclass(frozen=True)
class NoEbsVolume:
    """An identifier of an EBS disk that names no volume."""

    identifier: str


@dataclass(frozen=True)
class OddZone:
    """A zone from whose name no region follows."""

    zone: str


@dataclass(frozen=True)
class NotOneRegion:
    """Zones of several regions."""

    regions: tuple[str, ...]


MigrationFault = UnsupportedDiskKind | NoEbsVolume | OddZone | NotOneRegion
"""Why an in-tree volume is none of a CSI driver's."""


@dataclass(frozen=True)
class UnnamedClaim:
    """A volume that names the empty claim."""


@dataclass(frozen=True)
class MissingClaim:
    """A claim of the incoming pod that does not exist."""

    namespace: str
    claim: str


@dataclass(frozen=True)
class ForeignClaim:
    """The claim of an ephemeral volume that another pod owns; both as `namespace/name`."""

    claim: str
    pod: str


@dataclass(frozen=True)
class UntranslatableVolume:
    """A disk that a pod names itself, and why it is none of its CSI driver's."""

    volume: str
    fault: MigrationFault


VolumeFault = UnnamedClaim | MissingClaim | ForeignClaim | UntranslatableVolume
"""Why a pod's volumes cannot be counted."""


class MigrationError(Exception):
    """An in-tree volume cannot be translated."""

    def __init__(self, fault: MigrationFault) -> None:
        super().__init__(fault)
        self.fault = fault


class VolumeError(Exception):
    """A pod's volumes cannot be counted."""

    def __init__(self, fault: VolumeFault) -> None:
        super().__init__(fault)
        self.fault = fault
