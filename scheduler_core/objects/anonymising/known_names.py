"""Names that say nothing of a cluster: keys, resources and drivers of public projects. They stay."""

import re
from functools import cache, lru_cache

from scheduler_core.objects.data_modules import data_modules
from scheduler_core.objects.node_groups import POOL_LABELS

_PUBLIC_TEXT = (
    "sandtable kubernetes.io k8s.io x-k8s.io nvidia.com amd.com intel.com aws.amazon.com amazonaws.com "
    "csi.aws.com azure.com cloud.google.com gke.io vmware.com openstack.org karpenter.sh eksctl.io "
    "rancher.io longhorn.io ceph.com openebs.io k3s.io rke2.io helm.sh"
)
_PUBLIC = tuple(_PUBLIC_TEXT.split())
_PARTS_TEXT = (
    "admission admissionregistration agentpool alpha apiextensions apiregistration apiserver app apparmor"
    " apps authentication authorization autoscaling aws azure batch beta blob bootstrap bus capacity cephfs"
    " certificates cinder cluster compute-domain config container controlplane coordination csi"
    " deviceclass disk discovery driver ebs ec2 efs eks endpointslice events failure-domain feature file"
    " filestore flow flowcontrol fsx gateway gpu hostpath image-policy imex infrastructure ingress internal"
    " jobset kops kubelet kubernetes kubescheduler kueue leaderworkerset meta metrics mig nas network"
    " networking nfd nfs node node-restriction node-role nodeinfo oss pd pod policy pv rbac rbd resource"
    " scheduler scheduling seccomp security service shard smb snapshot storage storageclass storagemigration"
    " test topology training v1 v1alpha1 v1beta1 volume volumes vpc vsphere"
)
_PARTS = frozenset(_PARTS_TEXT.split())
"""Words that public projects put before their domains. Another may be a customer, a host or an account."""
_REST = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?")
_KEPT = frozenset(
    (
        "metadata.name",  # the one field that a node's requirement may name
        "controller-revision-hash",
        "controller-uid",
        "job-name",
        "pod-template-generation",
        "pod-template-hash",
        *POOL_LABELS,  # answers group nodes by them
    )
)
"""Keys that controllers of Kubernetes set without a domain, and those of nodes' pools."""
_GROUPS = frozenset(("apps", "batch", "policy", "autoscaling", "extensions"))
"""API groups of Kubernetes without a domain."""
_DRIVER = re.compile(r"(?:[a-z]+\.)*(?:csi|driver)\.[a-z.]+")
_OF_A_CLASS = re.compile(r"(.+)(\.(?:storageclass\.storage|deviceclass\.resource)\.k8s\.io)")
_PREFIXES = ("node-role.kubernetes.io/", "deviceclass.resource.kubernetes.io/")
"""Before names that whoever runs the cluster gave."""
_ASKED = re.compile(r"(?:requests|limits)\.(?=.*/)")
_COUNT, _CSI_LIMIT = "count/", "attachable-volumes-csi-"
_PLAIN_TEXT = (
    "cpu memory pods count storage ephemeral-storage services secrets configmaps "
    "persistentvolumeclaims resourcequotas replicationcontrollers services.loadbalancers "
    "services.nodeports"
)
_PLAIN = tuple(_PLAIN_TEXT.split())
_NATIVE = re.compile(
    rf"(?:(?:requests|limits)\.)?(?:{'|'.join(map(re.escape, _PLAIN))}|hugepages-[0-9A-Za-z]+)"
)


@lru_cache(maxsize=16_384)
def is_public_domain(domain: str) -> bool:
    """Tell whether a domain is a public project's, or one that such a project has below it."""
    return domain in _public() or any(
        domain.endswith(f".{one}") and _PARTS.issuperset(domain.removesuffix(f".{one}").split("."))
        for one in _public()
    )


def is_public_key(name: str) -> bool:
    """Tell whether a name is a public project's: one word or more behind its domain, and nothing else."""
    domain, slash, rest = name.partition("/")
    return bool(slash) and _REST.fullmatch(rest) is not None and is_public_domain(domain)


@cache
def _public() -> tuple[str, ...]:
    return (*_PUBLIC, *(domain for module in data_modules("anonymised") for domain in module.DOMAINS))


def is_public_group(group: str) -> bool:
    """Tell whether an API group is Kubernetes' own or a public project's."""
    return not group or group in _GROUPS or is_public_domain(group)


@lru_cache(maxsize=16_384)
def parted(name: str) -> tuple[str, str, str]:
    """Return what of a name stays in front, what is somebody's own, and what stays behind."""
    if name in _KEPT or _NATIVE.fullmatch(name):
        return name, "", ""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return prefix, name.removeprefix(prefix), ""
    if name.startswith(_CSI_LIMIT) or _ASKED.match(name):
        prefix = _CSI_LIMIT if name.startswith(_CSI_LIMIT) else f"{name.partition('.')[0]}."
        before, own, behind = parted(name.removeprefix(prefix))
        return prefix + before, own, behind
    domain, slash, rest = name.partition("/")
    if name.startswith(_COUNT):
        return (name, "", "") if is_public_group(rest.partition(".")[2]) else ("", name, "")
    if slash and (found := _OF_A_CLASS.fullmatch(domain)):
        return "", found[1], f"{found[2]}/{rest}"
    if is_public_key(name) or (_DRIVER.fullmatch(name) and is_public_domain(name)):
        return name, "", ""
    return "", name, ""
