"""The fields of a KubeSchedulerConfiguration v1: what may stand in it, and of which kind.

As the real scheduler decodes strictly, a field that is unknown or of another kind is refused. What plugins
are called and what their arguments mean is not looked at here.

Source: kubernetes v1.36 staging/src/k8s.io/kube-scheduler/config/v1/types.go.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

API_VERSION = "kubescheduler.config.k8s.io/v1"
Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_PLACED = re.compile(r"(?P<reason>.*) - at `\$\.?(?P<field>.*)`$", re.DOTALL)


class Part(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """A part of a configuration: fields are spelt as in JSON, others are refused, any may be absent."""


class _Plugin(Part):
    name: str | None = None
    weight: Int32 | None = None


class _PluginSet(Part):
    enabled: list[_Plugin] | None = None
    disabled: list[_Plugin] | None = None


class _Plugins(Part):
    pre_enqueue: _PluginSet | None = None
    queue_sort: _PluginSet | None = None
    pre_filter: _PluginSet | None = None
    filter: _PluginSet | None = None
    post_filter: _PluginSet | None = None
    pre_score: _PluginSet | None = None
    score: _PluginSet | None = None
    reserve: _PluginSet | None = None
    permit: _PluginSet | None = None
    pre_bind: _PluginSet | None = None
    bind: _PluginSet | None = None
    post_bind: _PluginSet | None = None
    multi_point: _PluginSet | None = None
    placement_generate: _PluginSet | None = None
    placement_score: _PluginSet | None = None


class _PluginConfig(Part):
    name: str | None = None
    args: dict[str, Any] | None = None


class _Profile(Part):
    scheduler_name: str | None = None
    percentage_of_nodes_to_score: Any = None
    plugins: _Plugins | None = None
    plugin_config: list[_PluginConfig] | None = None


class _LeaderElection(Part):
    leader_elect: bool | None = None
    lease_duration: Any = None
    renew_deadline: Any = None
    retry_period: Any = None
    resource_lock: str | None = None
    resource_name: str | None = None
    resource_namespace: str | None = None


class _ClientConnection(Part):
    kubeconfig: str | None = None
    accept_content_types: str | None = None
    content_type: str | None = None
    qps: float | None = None
    burst: Int32 | None = None


class ExtenderTls(Part):
    insecure: bool | None = None
    server_name: str | None = None
    cert_file: str | None = None
    key_file: str | None = None
    ca_file: str | None = None
    cert_data: str | None = None
    key_data: str | None = None
    ca_data: str | None = None


class _ManagedResource(Part):
    name: str | None = None
    ignored_by_scheduler: bool | None = None


class Extender(Part):
    """An extender. Its verbs are the last part of the address that each question goes to."""

    url_prefix: str | None = None
    filter_verb: str | None = None
    preempt_verb: str | None = None
    prioritize_verb: str | None = None
    weight: Int64 | None = None
    bind_verb: str | None = None
    enable_https: bool | None = msgspec.field(name="enableHTTPS", default=None)
    tls_config: ExtenderTls | None = None
    http_timeout: str | None = None
    node_cache_capable: bool | None = None
    managed_resources: list[_ManagedResource] | None = None
    ignorable: bool | None = None


class _Configuration(Part):
    api_version: str | None = None
    kind: str | None = None
    parallelism: Int32 | None = None
    leader_election: _LeaderElection | None = None
    client_connection: _ClientConnection | None = None
    enable_profiling: bool | None = None
    enable_contention_profiling: bool | None = None
    percentage_of_nodes_to_score: Any = None
    pod_initial_backoff_seconds: Int64 | None = None
    pod_max_backoff_seconds: Int64 | None = None
    profiles: list[_Profile] | None = None
    extenders: list[Extender] | None = None
    delay_cache_until_active: bool | None = None
    # Stands for the flag --feature-gates: in a file for kube-scheduler itself it is no field.
    feature_gates: dict[str, bool] | None = None


def fault_of_shape(config: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the field and what is wrong with it, or None."""
    try:
        msgspec.convert(dict(config), _Configuration)
    except msgspec.ValidationError as error:
        return field_and_reason(str(error))
    return None


def field_and_reason(message: str) -> tuple[str, str]:
    """Return the field that msgspec complains of, as a path, and what is wrong with it."""
    placed = _PLACED.match(message)
    field, reason = (placed["field"], placed["reason"]) if placed else ("", message)
    unknown = re.match(r"Object contains unknown field `(.*)`$", reason)
    if unknown:
        return ".".join(part for part in (field, unknown[1]) if part), "is no field of it"
    expected = re.match(r"Expected `(.*)`, got `(.*)`$", reason)
    if expected:
        kinds = expected[1].removesuffix(" | null")
        return field, f"must be of the kind {kinds}, not {expected[2]}"
    return field, reason
