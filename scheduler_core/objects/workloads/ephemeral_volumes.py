"""The claims behind generic ephemeral volumes: each belongs to its pod and is made right after it.

Source: kubernetes v1.36 pkg/controller/volume/ephemeral; k8s.io/component-helpers v0.36 storage/ephemeral
VolumeClaimName.
"""

from typing import Any

from scheduler_core.objects.identity import derived_uid, labels_of, name_of, namespace_of, spec_of

Object = dict[str, Any]


def ephemeral_claims(pod: Object) -> list[Object]:
    """Return the claims that the ephemeral volume controller makes for a pod with a uid."""
    metadata = pod.get("metadata") or {}
    owner = {"apiVersion": "v1", "kind": "Pod", "name": name_of(pod), "uid": metadata.get("uid")}
    claims = []
    for volume in spec_of(pod).get("volumes") or ():
        template = (volume.get("ephemeral") or {}).get("volumeClaimTemplate")
        if template is None:
            continue
        name = f"{name_of(pod)}-{volume.get('name')}"
        claim = {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {
                "name": name,
                "namespace": namespace_of(pod),
                # A pod's successor of the same name has claims of its own.
                "uid": derived_uid("PersistentVolumeClaim", namespace_of(pod), f"{name} of {owner['uid']}"),
                "labels": labels_of(template),
                "annotations": (template.get("metadata") or {}).get("annotations") or {},
                "ownerReferences": [{**owner, "controller": True, "blockOwnerDeletion": True}],
            },
            "spec": spec_of(template),
            "status": {"phase": "Pending"},
        }
        claims.append(claim)
    return claims
