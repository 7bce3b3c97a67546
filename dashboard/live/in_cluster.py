"""The cluster that this very program runs in: its pod's service account, as kubelets mount it into pods.

Nothing of it is kept: the token changes every hour or so, and is read anew whenever the cluster is.

Source: kubernetes v1.36 staging/src/k8s.io/client-go/rest/config.go InClusterConfig.
"""

from __future__ import annotations

import os
from base64 import b64encode
from pathlib import Path

from dashboard.live.kubeconfig import Connection, document_of
from scheduler_core.objects.problems import BadInput, Problem

MOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
NAME = "in-cluster"
SCHEME = "https"
_HOST, _PORT = "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"


def is_in_cluster() -> bool:
    """Tell whether this program runs in a pod that has a service account."""
    return bool(os.environ.get(_HOST)) and (MOUNT / "token").is_file()


def own_connection() -> Connection:
    """Return how a pod reaches the API server of its own cluster. Raises BadInput where this is no pod."""
    if not is_in_cluster():
        message = f"this program does not run in a pod with a service account ({_HOST}, {MOUNT})"
        raise BadInput([Problem("", "in_cluster", message)])
    host, port = os.environ[_HOST], os.environ.get(_PORT, "443")
    address = f"{SCHEME}://{f'[{host}]' if ':' in host else host}:{port}"
    try:
        token = (MOUNT / "token").read_text().strip()
        authority = MOUNT / "ca.crt"
        trusted = b64encode(authority.read_bytes()).decode() if authority.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or "it is no text"
        message = f"its service account cannot be read: {reason}"
        raise BadInput([Problem("", "in_cluster", message)]) from None
    cluster = {"server": address, "certificate-authority-data": trusted}
    return Connection(NAME, address, document_of(NAME, cluster, {"token": token}))
