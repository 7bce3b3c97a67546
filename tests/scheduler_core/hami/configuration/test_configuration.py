"""HAMi's settings: what is read, what is refused, what is told."""

import pytest

from scheduler_core.hami.configuration.settings import read_configuration, unread_settings
from scheduler_core.objects.problems import BadInput


def test_without_a_device_configuration_it_is_the_one_that_a_release_installs():
    configuration = read_configuration(None)
    assert configuration.device_config.nvidia.resource_count_name == "nvidia.com/gpu"
    assert len(configuration.device_config.vnpus.configs) == 7
    assert (configuration.node_scheduler_policy, configuration.gpu_scheduler_policy) == ("binpack", "spread")


@pytest.mark.parametrize(("document", "fault"), [
    ({"deviceConfig": {"nvidia": {"defaultMemory": "much"}}}, "deviceConfig.nvidia.defaultMemory"),
    ({"deviceConfig": {"vnpus": {"configs": [{"templates": [{"memory": "x"}]}]}}},
     "deviceConfig.vnpus.configs[0].templates[0].memory"),
    ({"enableAscend": "yes"}, "enableAscend"),
    ({"nodeLockTimeout": "soon"}, "nodeLockTimeout: 'soon' is no duration"),
    ({"deviceConfig": {}}, "deviceConfig: configures no vendor"),
])  # fmt: skip
def test_what_has_the_wrong_type_is_refused_by_field(document, fault):
    with pytest.raises(BadInput) as caught:
        read_configuration(document)
    assert str(caught.value).startswith(f"HAMi configuration: {fault}")


def test_what_nobody_reads_is_told_by_field():
    document = {
        "schedulerNam": "x",
        "deviceConfig": {
            "nvidia": {"resourceCountName": "a", "deviceSplitCount": 10, "colour": "red"},
            "vnpus": {"configs": [{"aiCore": 1, "templates": [{"name": "a", "aiCPU": 2, "size": 3}]}]},
        },
    }
    assert unread_settings(document) == [
        "schedulerNam",
        "deviceConfig.nvidia.colour",
        "deviceConfig.vnpus.configs[0].templates[0].size",
    ]
