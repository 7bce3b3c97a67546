"""Arguments at which the real scheduler ends are refused, with the argument's name."""

import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.volcano.configuration.scheduler_conf import read_configuration


def problems(plugin, text):
    lines = "\n".join(f"      {line}" for line in text.splitlines())
    with pytest.raises(BadInput) as refused:
        read_configuration(
            f"actions: allocate\ntiers:\n- plugins:\n  - name: {plugin}\n    arguments:\n{lines}\n"
        )
    return [(problem.field, problem.message) for problem in refused.value.problems]


AT = "tiers[0].plugins[0].arguments"
ENDS = "Volcano's scheduler ends at anything else"


@pytest.mark.parametrize(
    ("plugin", "text", "field", "message"),
    [
        (
            "deviceshare",
            "deviceshare.VGPUEnable: true\ndeviceshare.GPUSharingEnable: 'true'",
            "deviceshare.VGPUEnable",
            "gpu-share and vgpu can't be used together",
        ),
        (
            "deviceshare",
            "deviceshare.GPUNumberEnable: true\ndeviceshare.GPUSharingEnable: true",
            "deviceshare.GPUNumberEnable",
            "can not define true in both gpu sharing and gpu number",
        ),
        ("tdm", "tdm.revocable-zone.rz1: 10", "tdm.revocable-zone.rz1", f"must be a text: {ENDS}"),
        (
            "resource-strategy-fit",
            "resources:\n  cpu:\n    weight: much",
            "resources.cpu.weight",
            f"must be a number: {ENDS}",
        ),
        (
            "extender",
            "extender.managedResources: nvidia.com/gpu",
            "extender.managedResources",
            f"must be a list of texts: {ENDS}",
        ),
        ("resource-strategy-fit", "sra: true", "sra", f"must be a mapping: {ENDS}"),
    ],
)
def test_what_ends_the_scheduler_is_refused(plugin, text, field, message):
    assert problems(plugin, text) == [(f"{AT}.{field}", message)]


def test_a_time_of_day_is_a_text_as_in_go():
    configuration = read_configuration(
        "actions: allocate\ntiers:\n- plugins:\n  - name: tdm\n    arguments:\n"
        "      tdm.revocable-zone.rz1: 10:00\n      tdm.evict.period: 1m\n"
    )
    [[tdm]] = configuration.tiers
    assert tdm.arguments.values["tdm.revocable-zone.rz1"] == "10:00"
    assert configuration.ignored == []


def test_a_number_with_an_exponent_is_a_number_as_in_go():
    """An amount of usage's estimator that is a number with a fraction is passed over: 1e-4 without quotes."""
    configuration = read_configuration(
        "actions: allocate\ntiers:\n- plugins:\n  - name: usage\n    arguments:\n"
        "      estimator: {be_cpu: 1e-4, be_mem: '1e9', risk_factor: 2E0, request_ratio: .5e0}\n"
    )
    [[usage]] = configuration.tiers
    estimator = usage.arguments.values["estimator"]
    assert estimator == {"be_cpu": 0.0001, "be_mem": "1e9", "risk_factor": 2.0, "request_ratio": 0.5}
