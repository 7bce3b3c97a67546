"""Which versions of kinds an API server serves, by its release."""

import pytest

from scheduler_core.objects.api_server.served_versions import not_served


@pytest.mark.parametrize(
    ("version", "kind", "last", "first_without"),
    [
        ("extensions/v1beta1", "Deployment", 15, 16),
        ("extensions/v1beta1", "Ingress", 21, 22),
        ("policy/v1beta1", "PodDisruptionBudget", 24, 25),
        ("batch/v1beta1", "CronJob", 24, 25),
        ("autoscaling/v2beta2", "HorizontalPodAutoscaler", 25, 26),
        ("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", 31, 32),
        ("admissionregistration.k8s.io/v1beta1", "ValidatingAdmissionPolicy", 33, 34),
    ],
)
def test_a_removed_version_is_served_until_its_release(
    version: str, kind: str, last: int, first_without: int
) -> None:
    document = {"apiVersion": version, "kind": kind}
    assert not_served(document, (1, last)) == ""
    said = not_served(document, (1, first_without), at_least=True)
    assert said.startswith(
        f'no matches for kind "{kind}" in version "{version}": it was removed in 1.{first_without}, and '
    )


def test_a_new_version_is_unknown_to_older_releases_alone() -> None:
    document = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler"}
    assert not_served(document, (1, 23)) == ""
    assert not_served(document, (1, 22)) == (
        'no matches for kind "HorizontalPodAutoscaler" in version "autoscaling/v2": it came in 1.23'
    )
    assert not_served(document, (1, 22), at_least=True) == "", "kubelets may be older than their API server"


@pytest.mark.parametrize(
    ("version", "kind", "came"),
    [
        ("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", 36),
        ("certificates.k8s.io/v1", "CertificateSigningRequest", 19),
        ("networking.k8s.io/v1", "ServiceCIDR", 33),
    ],
)
def test_a_stable_version_is_served_from_its_release_on(version: str, kind: str, came: int) -> None:
    document = {"apiVersion": version, "kind": kind}
    assert not_served(document, (1, came)) == ""
    assert not_served(document, (1, came - 1)).endswith(f": it came in 1.{came}")


@pytest.mark.parametrize(
    "document",
    [
        {"apiVersion": "v1", "kind": "Pod"},
        {"apiVersion": "policy/v1beta1", "kind": "Other"},
        {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"},
        {"apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaim"},
        {"kind": "Pod"},
    ],
)
def test_of_everything_else_nothing_is_said(document: dict[str, str]) -> None:
    for release in ((1, 8), (1, 20), (1, 37)):
        assert not_served(document, release) == ""
