"""Helm's hooks of a manifest: what an install makes before the others, with them, and not at all."""

from typing import Any

import pytest

from scheduler_core.world.edits.helm_hooks import LeftOut, in_stages


def hooked(hooks: Any) -> dict[str, Any]:
    annotations = {"helm.sh/hook": hooks}
    metadata = {"name": "one", "namespace": "shop", "annotations": annotations}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata}


@pytest.mark.parametrize("hooks", ["pre-install", "pre-install,pre-upgrade", " Pre-Install , pre-rollback"])
def test_what_is_made_before_an_install_is_done_by_then(hooks: str) -> None:
    assert in_stages([hooked(hooks)]) == ([hooked(hooks)], [], [])


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
