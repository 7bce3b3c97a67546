"""What claims ask for, in words."""

import pytest

from scheduler_core.objects.device_asks import claim_asks, pod_asks

ONE = {"name": "gpu", "exactly": {"deviceClassName": "l40s"}}


@pytest.mark.parametrize(
    ("requests", "says"),
    [
        ([ONE], ["1 device of class l40s"]),
        ([{"name": "gpu", "exactly": {"deviceClassName": "l40s", "count": 2}}, ONE],
         ["2 devices of class l40s", "1 device of class l40s"]),
        ([{"name": "gpu", "exactly": {"deviceClassName": "l40s", "allocationMode": "All"}}],
         ["all devices of class l40s"]),
        ([{"name": "gpu", "firstAvailable": [
            {"name": "a", "deviceClassName": "h100"}, {"name": "b", "deviceClassName": "gpu", "count": 2}]}],
         ["1 device of class h100, else 2 devices of class gpu"]),
        ([{"name": "gpu", "exactly": {"deviceClassName": "nic", "adminAccess": True}}],
         ["1 device of class nic for administration"]),
        ([{"name": "gpu", "exactly": {"deviceClassName": "gpu",
                                      "capacity": {"requests": {"memory": "10Gi"}}}}],
         ["1 device of class gpu with 10Gi memory"]),
        ([{"name": "gpu", "firstAvailable": [
            {"name": "a", "deviceClassName": "gpu", "selectors": [{"cel": {"expression": "false"}}]},
            {"name": "b", "deviceClassName": "gpu", "count": 2,
             "selectors": [{"cel": {"expression": "true"}}, {"cel": {"expression": "true"}}]}]}],
         ["1 device of class gpu that meets a selector, else 2 devices of class gpu that meet 2 selectors"]),
        (None, []),
    ],
)  # fmt: skip
def test_each_request_is_said(requests, says):
    assert claim_asks({"devices": {"requests": requests}}) == says


def test_a_pods_claims_by_name_by_status_and_by_template():
    specs = {
        ("shared", False): {"devices": {"requests": [ONE]}},
        ("made", False): {"devices": {"requests": [ONE, ONE]}},
        ("t", True): {"devices": {"requests": [{**ONE, "exactly": {"deviceClassName": "mig"}}]}},
    }
    entries = [
        {"name": "a", "resourceClaimName": "shared"},
        {"name": "b", "resourceClaimTemplateName": "t"},
        {"name": "c", "resourceClaimTemplateName": "t"},
        {"name": "d", "resourceClaimName": "gone"},
    ]
    statuses = [{"name": "b", "resourceClaimName": "made"}]
    assert pod_asks(entries, statuses, lambda *named: specs.get(named)) == [
        *["1 device of class l40s"] * 3,
        "1 device of class mig",
        "claim gone (missing)",
    ]
