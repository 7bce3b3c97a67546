"""The device configuration that a release installs; what only device plugins read is left out.

Source: HAMi v2.10.0 charts/hami/templates/scheduler/device-configmap.yaml.
"""

from __future__ import annotations

from typing import Any

_NPUS: tuple[tuple[str, str, int, int, dict[str, int]], ...] = (
    ("910A", "Ascend910A", 32768, 32768, {"vir02": 2184, "vir04": 4369, "vir08": 8738, "vir16": 17476}),
    (
        "910B2",
        "Ascend910B2",
        65536,
        65536,
        {"vir03_1c_8g": 8192, "vir06_1c_16g": 16384, "vir12_3c_32g": 32768},
    ),
    ("910B3", "Ascend910B3", 65536, 65536, {"vir05_1c_16g": 16384, "vir10_3c_32g": 32768}),
    ("910B4-1", "Ascend910B4-1", 65536, 65536, {"vir05_1c_16g": 16384, "vir10_3c_32g": 32768}),
    ("910B4", "Ascend910B4", 32768, 32768, {"vir05_1c_8g": 8192, "vir10_3c_16g": 16384}),
    ("310P3", "Ascend310P", 21527, 24576, {"vir01": 3072, "vir02": 6144, "vir04": 12288}),
    ("Ascend910", "Ascend910C", 65536, 65536, {"vir05_1c_16g": 16384, "vir10_3c_32g": 32768}),
)
"""Chip, word, MiB that can be allocated and that there are, templates with their MiB."""
_MODULES = "Ascend910C"
_ILUVATARS = ("MR-V100", "MR-V50", "BI-V150", "BI-V100")


def device_configuration() -> dict[str, Any]:
    """Return the configuration, to do with as one likes."""
    return {
        "nvidia": {
            "resourceCountName": "nvidia.com/gpu",
            "resourceMemoryName": "nvidia.com/gpumem",
            "resourceMemoryPercentageName": "nvidia.com/gpumem-percentage",
            "resourceCoreName": "nvidia.com/gpucores",
            "resourcePriorityName": "nvidia.com/priority",
            "overwriteEnv": False,
            "defaultMemory": 0,
            "defaultCores": 0,
            "defaultGPUNum": 1,
            "memoryFactor": 1,
            "gpuCorePolicy": "default",
            "runtimeClassName": "",
        },
        "cambricon": _names("cambricon.com/", "vmlu", "mlu.smlu.vmemory", "mlu.smlu.vcore"),
        "hygon": {**_names("hygon.com/", "dcunum", "dcumem", "dcucores"), "memoryFactor": 1},
        "mthreads": _names("mthreads.com/", "vgpu", "sgpu-memory", "sgpu-core"),
        "amd": _names("amd.com/", "gpu", "gpumem", "gpucores"),
        "metax": {
            "resourceCountName": "metax-tech.com/gpu",
            "resourceVCountName": "metax-tech.com/sgpu",
            "resourceVMemoryName": "metax-tech.com/vmemory",
            "resourceVCoreName": "metax-tech.com/vcore",
            "sgpuTopologyAware": False,
        },
        "enflame": {
            "resourceNameGCU": "enflame.com/gcu",
            "resourceNameDRSGCU": "enflame.com/drs-gcu",
            "resourceNameGCUMemory": "enflame.com/gcu-memory",
            "resourceNameGCUCore": "enflame.com/gcu-core",
        },
        "kunlun": {
            "resourceCountName": "kunlunxin.com/xpu",
            "resourceVCountName": "kunlunxin.com/vxpu",
            "resourceVMemoryName": "kunlunxin.com/vxpu-memory",
        },
        "awsneuron": {
            "resourceCountName": "aws.amazon.com/neuron",
            "resourceCoreName": "aws.amazon.com/neuroncore",
        },
        "vastai": {"resourceCountName": "vastaitech.com/va"},
        "biren": {"resourceCountName": "birentech.com/gpu"},
        "iluvatars": [
            {
                "chipName": word,
                "commonWord": word,
                **_names(f"iluvatar.ai/{word}", "-vgpu", ".vMem", ".vCore"),
            }
            for word in _ILUVATARS
        ],
        "vnpus": {"hamiVnpuCore": False, "configs": [_npu(*npu) for npu in _NPUS]},
    }


def _names(prefix: str, count: str, memory: str, core: str) -> dict[str, str]:
    return {
        "resourceCountName": prefix + count,
        "resourceMemoryName": prefix + memory,
        "resourceCoreName": prefix + core,
    }


def _npu(chip: str, word: str, allocatable: int, capacity: int, templates: dict[str, int]) -> dict[str, Any]:
    return {
        "chipName": chip,
        "commonWord": word,
        "resourceName": f"huawei.com/{word}",
        "resourceMemoryName": f"huawei.com/{word}-memory",
        "resourceCoreName": f"huawei.com/{word}-core",
        "memoryAllocatable": allocatable,
        "memoryCapacity": capacity,
        "memoryFactor": 1,
        "superPod": word == _MODULES,
        "templates": [{"name": name, "memory": memory} for name, memory in templates.items()],
    }
