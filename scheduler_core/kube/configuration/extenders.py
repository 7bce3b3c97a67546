"""The `extenders` of a KubeSchedulerConfiguration: read into settings, and checked as kube-scheduler does.

Files are never read and keys never taken: an extender's certificate is checked by `tlsConfig.caData`.

Source: kubernetes v1.36 pkg/scheduler/apis/config/validation/validation.go validateExtenders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from scheduler_core.go.base64_text import is_base64
from scheduler_core.go.duration import parse_duration
from scheduler_core.kube.configuration.shape import Extender, ExtenderTls
from scheduler_core.kube.extenders.settings import (
    DEFAULT_TIMEOUT,
    ExtenderSettings,
    TlsSettings,
    in_order,
)
from scheduler_core.objects.amounts.requests import is_extended
from scheduler_core.objects.checks.field_rules import Findings

MAX_EXTENDERS = 10
"""Each is asked several times an attempt."""
_FILES = ("certFile", "keyFile", "caFile")
_KEYS = ("certData", "keyData")


def read_extenders(config: Mapping[str, Any]) -> list[ExtenderSettings]:
    """Return a checked configuration's extenders in the order in which they are asked."""
    return in_order(_settings(extender) for extender in _converted(config))


def _converted(config: Mapping[str, Any]) -> list[Extender]:
    return [msgspec.convert(entry, Extender) for entry in config.get("extenders") or ()]


def _settings(extender: Extender) -> ExtenderSettings:
    tls = extender.tls_config
    managed = extender.managed_resources or []
    return ExtenderSettings(
        url_prefix=extender.url_prefix or "",
        filter_verb=extender.filter_verb or "",
        prioritize_verb=extender.prioritize_verb or "",
        preempt_verb=extender.preempt_verb or "",
        bind_verb=extender.bind_verb or "",
        weight=extender.weight or 0,
        enable_https=bool(extender.enable_https),
        tls=None if tls is None else _tls(tls),
        timeout=parse_duration(extender.http_timeout or "0") or DEFAULT_TIMEOUT,
        node_cache_capable=bool(extender.node_cache_capable),
        ignorable=bool(extender.ignorable),
        managed_resources=frozenset(resource.name or "" for resource in managed),
        ignored_by_scheduler=tuple(one.name or "" for one in managed if one.ignored_by_scheduler),
    )


def _tls(tls: ExtenderTls) -> TlsSettings:
    return TlsSettings(bool(tls.insecure), tls.server_name or "", tls.ca_data or "")


def check_extenders(findings: Findings, config: Mapping[str, Any]) -> None:
    """Note what kube-scheduler would refuse, and what is not taken here. The shape must be right."""
    extenders = _converted(config)
    if len(extenders) > MAX_EXTENDERS:
        findings.add("extenders", f"must have at most {MAX_EXTENDERS} entries")
        return
    managed: set[str] = set()
    for place, extender in enumerate(extenders):
        path = f"extenders[{place}]"
        _check_address(findings, path, extender)
        if extender.prioritize_verb and (extender.weight or 0) <= 0:
            findings.add(f"{path}.weight", f"must be greater than 0, not {extender.weight or 0}")
        for index, resource in enumerate(extender.managed_resources or ()):
            name, where = resource.name or "", f"{path}.managedResources[{index}].name"
            if not is_extended(name):
                findings.add(where, f"{name!r} is no name of an extended resource")
            elif name in managed:
                findings.add(where, f"{name} is managed by an extender already")
            managed.add(name)
    if sum(bool(extender.bind_verb) for extender in extenders) > 1:
        findings.add("extenders", "only one extender can have a bindVerb")


def _check_address(findings: Findings, path: str, extender: Extender) -> None:
    url = extender.url_prefix or ""
    fault = _fault_of_url(url)
    if fault:
        findings.add(f"{path}.urlPrefix", fault)
    if extender.http_timeout is not None:
        timeout = parse_duration(extender.http_timeout)
        if timeout is None or timeout < 0:
            findings.add(f"{path}.httpTimeout", f"{extender.http_timeout!r} is no duration such as 5s")
    tls = extender.tls_config
    if tls is None:
        return
    for field in (*_FILES, *_KEYS):
        if getattr(tls, _snake(field)):
            reason = "files are not read" if field in _FILES else "keys are not taken"
            findings.add(f"{path}.tlsConfig.{field}", f"must not be given: {reason}")
    if tls.ca_data and not is_base64(tls.ca_data):
        findings.add(f"{path}.tlsConfig.caData", "must be certificates in PEM, in base64")
    if tls.insecure and tls.ca_data:
        findings.add(f"{path}.tlsConfig.insecure", "must not be true where caData is given")


def _fault_of_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "must be a URL such as http://extender.example.com/scheduler"
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        return "must be a URL such as http://extender.example.com/scheduler"
    if parts.username is not None or parts.password is not None:
        return "must not hold a user name or a password"
    if parts.query or parts.fragment:
        return "must not have a query or a fragment"
    return ""


def _snake(field: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in field)
