"""HAMi's settings: the scheduler's flags and the device configuration.

What HAMi doesn't know it leaves unread, and so do we: `unread_settings` tells it by field.

Source: HAMi v2.10.0 pkg/scheduler/config/config.go, cmd/scheduler/main.go, and the config of each vendor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

import msgspec

from scheduler_core.go.duration import parse_duration
from scheduler_core.hami.configuration.shipped import device_configuration
from scheduler_core.hami.rules.constants import BINPACK, SPREAD
from scheduler_core.objects.conversion import field_and_reason, plain_message
from scheduler_core.objects.problems import BadInput, Problem

OBJECT = "HAMi configuration"


class _Settings(msgspec.Struct, frozen=True, rename="camel"):
    """Names as in the file. What only device plugins read is left out: `_FOR_PLUGINS` names it."""


class NvidiaSettings(_Settings, frozen=True):
    resource_count_name: str = ""
    resource_memory_name: str = ""
    resource_core_name: str = ""
    resource_memory_percentage_name: str = ""
    resource_priority_name: str = ""
    overwrite_env: bool = False
    default_memory: int = 0
    default_cores: int = 0
    default_gpu_num: int = msgspec.field(default=0, name="defaultGPUNum")
    memory_factor: int = 0
    gpu_core_policy: str = ""
    runtime_class_name: str = ""


class CountSettings(_Settings, frozen=True):
    """Of vendors whose cards are counted only."""

    resource_count_name: str = ""


class SharedSettings(_Settings, frozen=True):
    """Of vendors whose cards are asked for by number, memory and cores."""

    resource_count_name: str = ""
    resource_memory_name: str = ""
    resource_core_name: str = ""


class HygonSettings(SharedSettings, frozen=True):
    memory_factor: int = 0


class MetaxSettings(_Settings, frozen=True):
    resource_count_name: str = ""
    resource_v_count_name: str = ""
    resource_v_memory_name: str = ""
    resource_v_core_name: str = ""
    sgpu_topology_aware: bool = False


class IluvatarSettings(_Settings, frozen=True):
    chip_name: str = ""
    common_word: str = ""
    resource_count_name: str = ""
    resource_memory_name: str = ""
    resource_core_name: str = ""


class KunlunSettings(_Settings, frozen=True):
    resource_count_name: str = ""
    resource_v_count_name: str = ""
    resource_v_memory_name: str = ""


class AwsNeuronSettings(_Settings, frozen=True):
    resource_count_name: str = ""
    resource_core_name: str = ""


class EnflameSettings(_Settings, frozen=True):
    resource_name_gcu: str = msgspec.field(default="", name="resourceNameGCU")
    resource_name_drs_gcu: str = msgspec.field(default="", name="resourceNameDRSGCU")
    resource_name_memory: str = msgspec.field(default="", name="resourceNameGCUMemory")
    resource_name_core: str = msgspec.field(default="", name="resourceNameGCUCore")
    resource_name_v_gcu: str = msgspec.field(default="", name="resourceNameVGCU")


class Template(_Settings, frozen=True):
    """A size in which an NPU is cut; memory in MiB."""

    name: str = ""
    memory: int = 0


class NpuSettings(_Settings, frozen=True):
    common_word: str = ""
    chip_name: str = ""
    resource_name: str = ""
    resource_memory_name: str = ""
    resource_core_name: str = ""
    memory_allocatable: int = 0
    memory_capacity: int = 0
    memory_factor: int = 0
    runtime_class_name: str = ""
    overwrite_env: bool = False
    super_pod: bool = False
    templates: tuple[Template, ...] = ()


class NpusSettings(_Settings, frozen=True):
    hami_vnpu_core: bool = False
    configs: tuple[NpuSettings, ...] = ()


class DeviceSettings(_Settings, frozen=True):
    """The device configuration: a part for each vendor."""

    nvidia: NvidiaSettings = NvidiaSettings()
    cambricon: SharedSettings = SharedSettings()
    hygon: HygonSettings = HygonSettings()
    mthreads: SharedSettings = SharedSettings()
    amd: SharedSettings = SharedSettings()
    metax: MetaxSettings = MetaxSettings()
    enflame: EnflameSettings = EnflameSettings()
    kunlun: KunlunSettings = KunlunSettings()
    awsneuron: AwsNeuronSettings = AwsNeuronSettings()
    vastai: CountSettings = CountSettings()
    biren: CountSettings = CountSettings()
    iluvatars: tuple[IluvatarSettings, ...] = ()
    vnpus: NpusSettings = NpusSettings()


class Configuration(_Settings, frozen=True):
    """The scheduler's flags, and `device_config`, the file that one of them names."""

    scheduler_name: str = "hami-scheduler"
    node_scheduler_policy: str = BINPACK
    gpu_scheduler_policy: str = SPREAD
    force_overwrite_default_scheduler: bool = True
    enable_ascend: bool = False
    enable_iluvatar: bool = False
    node_lock_timeout: str = "5m0s"
    device_config: DeviceSettings = DeviceSettings()


SWITCHES = {"enableAscend": "vnpus", "enableIluvatar": "iluvatars"}
"""Flags that switch vendors on, and the part of the device configuration with their models.

The chart then has kube-scheduler leave the vendors' resources to HAMi.
"""
_FOR_PLUGINS = frozenset(
    {
        "deviceSplitCount",
        "deviceMemoryScaling",
        "deviceCoreScaling",
        "preConfiguredDeviceMemory",
        "libCudaLogLevel",
        "enableNumaTopology",
        "disableCoreLimit",
        "migProfileAllowlist",
        "aiCore",
        "aiCPU",
        "resourceNameVGCUPercentage",
    }
)
"""What HAMi knows, but its scheduler decides nothing by."""


def read_configuration(document: Mapping[str, Any] | None) -> Configuration:
    """Return the configuration; without a device configuration it is the one that a release installs.

    Raises BadInput for what has the wrong type, and for a device configuration without a vendor.
    """
    given = {"deviceConfig": device_configuration(), **(document or {})}
    try:
        configuration = msgspec.convert(given, Configuration)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(plain_message(str(error)), given)
        raise BadInput([Problem(OBJECT, field, reason)]) from None
    if configuration.device_config == DeviceSettings():
        raise BadInput([Problem(OBJECT, "deviceConfig", "configures no vendor")])
    if parse_duration(configuration.node_lock_timeout) is None:
        message = f"{configuration.node_lock_timeout!r} is no duration, as in 5m0s"
        raise BadInput([Problem(OBJECT, "nodeLockTimeout", message)])
    return configuration


def switched(settings: DeviceSettings, flag: str) -> tuple[NpuSettings, ...] | tuple[IluvatarSettings, ...]:
    """Return the models that one of SWITCHES stands for."""
    return settings.vnpus.configs if SWITCHES[flag] == "vnpus" else settings.iluvatars


def unread_settings(document: Mapping[str, Any]) -> list[str]:
    """Return the fields that nobody reads, as paths."""
    return list(_unread(document, Configuration, ""))


def _unread(value: Any, kind: Any, path: str) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _unread(item, get_args(kind)[0], f"{path}[{place}]")
        return
    if not isinstance(value, Mapping):
        return
    hints = get_type_hints(kind)
    known = {field.encode_name: hints[field.name] for field in msgspec.structs.fields(kind)}
    for key, inner in value.items():
        where = f"{path}.{key}" if path else key
        if key in known:
            yield from _unread(inner, known[key], where)
        elif key not in _FOR_PLUGINS:
            yield where
