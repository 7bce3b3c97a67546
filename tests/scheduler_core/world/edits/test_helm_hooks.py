"""Helm's hooks of a manifest: what an install makes before the others, with them, and not at all."""

from typing import Any

import pytest

from scheduler_core.world.edits.helm_hooks import LeftOut, in_stages


def hooked(hooks: Any, kind: str = "Pod", version: str = "v1", **annotations: str) -> dict[str, Any]:
    named = {"helm.sh/hook": hooks, **annotations}
    metadata = {"name": "one", "namespace": "shop", "annotations": named}
    return {"apiVersion": version, "kind": kind, "metadata": metadata}


@pytest.mark.parametrize("hooks", ["pre-install", "pre-install,pre-upgrade", " Pre-Install , pre-rollback"])
def test_what_is_made_before_an_install_is_done_by_then(hooks: str) -> None:
    assert in_stages([hooked(hooks)]) == ([hooked(hooks)], [], [])


def test_what_no_one_waits_for_stays_beside_the_others() -> None:
    late, job = {"kind": "Pod", "metadata": {"name": "late"}}, hooked("pre-install", "Job", "batch/v1")
    claim = hooked("pre-install", "PersistentVolumeClaim")
    server = hooked("pre-install", "Deployment", "apps/v1")
    assert in_stages([late, job, claim, server]) == ([job, claim], [claim, server, late], [])


def test_what_is_deleted_once_it_has_succeeded_is_gone_by_then_but_for_definitions_of_kinds() -> None:
    policy = {"helm.sh/hook-delete-policy": "before-hook-creation, Hook-Succeeded"}
    claim = hooked("pre-install", "PersistentVolumeClaim", **policy)
    server = hooked("pre-install", "Deployment", "apps/v1", **policy)
    definition = hooked("pre-install", "CustomResourceDefinition", "apiextensions.k8s.io/v1", **policy)
    found = in_stages([claim, server, definition])
    assert found == ([claim, server, definition], [definition], [])
    failed = hooked("pre-install", "Service", **{"helm.sh/hook-delete-policy": "hook-failed"})
    assert in_stages([failed]) == ([failed], [failed], [])


@pytest.mark.parametrize("hooks", ["post-install", "pre-install,post-install", "", None, 3])
def test_what_is_made_after_an_install_runs_with_the_others_as_what_is_no_hook(hooks: Any) -> None:
    assert in_stages([hooked(hooks)]) == ([], [hooked(hooks)], [])


@pytest.mark.parametrize(
    "hooks",
    ["test", "test-success", "pre-upgrade", "post-upgrade", "pre-delete", "post-delete", "post-rollback",
     "crd-install", "pre-install,test-failure"],
)  # fmt: skip
def test_what_belongs_to_another_time_or_is_unknown_to_helm_is_not_made(hooks: str) -> None:
    named = ", ".join(sorted(hooks.split(",")))
    assert in_stages([hooked(hooks)]) == ([], [], [LeftOut("Pod shop/one", named)])


def test_objects_without_metadata_are_no_hooks() -> None:
    for document in ({}, {"metadata": None}, {"metadata": {"annotations": ["helm.sh/hook"]}}):
        assert in_stages([document]).objects == [document]
