"""What is taken of a kubeconfig that somebody sends, and what is refused."""

from typing import Any

import pytest
import yaml

from dashboard.live.kubeconfig import MAX_BYTES, connection_in
from scheduler_core.objects.problems import BadInput

SERVER = "https://10.0.0.1:6443"


def kubeconfig(
    cluster: dict[str, Any] | None = None, user: dict[str, Any] | None = None, **more: Any
) -> bytes:
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "prod",
        "contexts": [{"name": name, "context": {"cluster": "c", "user": "u"}} for name in ("prod", "other")],
        "clusters": [{"name": "c", "cluster": {"server": SERVER, **(cluster or {})}}],
        "users": [
            {"name": "u", "user": {"token": "t", **(user or {})}},
            {"name": "private", "user": {"token": "of somebody else"}},
        ],
        **more,
    }
    return yaml.safe_dump(document).encode()


def test_one_context_is_kept_and_nothing_of_others() -> None:
    found = connection_in(kubeconfig(), "other")
    assert (found.context, found.address, found.is_verified) == ("other", SERVER, True)
    assert "somebody else" not in str(found.document)
    assert connection_in(kubeconfig()).context == "prod"
    assert not connection_in(kubeconfig({"insecure-skip-tls-verify": True})).is_verified
    assert not connection_in(kubeconfig({"server": "http://10.0.0.1"})).is_verified


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "there is nothing in it"),
        (b"kind: Pod", "kind: must be Config"),
        (b"x" * (MAX_BYTES + 1), "is larger than"),
        (kubeconfig(**{"current-context": ""}), "current-context: is empty: name one of prod, other"),
        (b"{kind: Config, apiVersion: v1}", "contexts: is empty"),
        (kubeconfig(**{"current-context": "gone"}), "contexts: has no gone; there are prod, other"),
        (kubeconfig(users=[]), "users: has no u; there are none"),
        (kubeconfig(contexts={}), "contexts: has no prod; there are none"),
        (
            kubeconfig({"certificate-authority": "/etc/passwd"}),
            "clusters.c.certificate-authority: names a file",
        ),
        (kubeconfig({"proxy-url": "http://10.9.9.9"}), "clusters.c.proxy-url: is not taken"),
        (kubeconfig({"server": "file:///etc/passwd"}), "clusters.c.server: must be the address"),
        (kubeconfig({"server": "https://user:password@10.0.0.1"}), "clusters.c.server: must be the address"),
        (kubeconfig(user={"tokenFile": "/etc/passwd"}), "users.u.tokenFile: names a file"),
        (kubeconfig(user={"exec": {"command": "sh"}}), "users.u.exec.command: runs a program"),
        (kubeconfig(user={"auth-provider": {"name": "gcp"}}), "users.u.auth-provider: asks a plugin"),
        (kubeconfig(user={"token": "REDACTED"}), "users.u.token: was left out by kubectl"),
        (kubeconfig(user={"client-key-data": "not base64"}), "users.u.client-key-data: must be in base64"),
        (kubeconfig(user={"token": ["t"]}), "users.u.token: must be text"),
        (kubeconfig(user={"token": 7}), "users.u.token: must be text"),
        (kubeconfig(user={"token": "secret\n"}), "users.u.token: has a line break"),
        (kubeconfig({"insecure-skip-tls-verify": "no"}), "insecure-skip-tls-verify: must be true or false"),
        (kubeconfig({"server": SERVER + "/" + "a" * 500}), "clusters.c.server: is longer than 500"),
        (kubeconfig(**{"current-context": "a\0b"}), "current-context: must be a name"),
        (kubeconfig(**{"current-context": "a" * 254}), "current-context: must be a name"),
        (b"{kind: List, apiVersion: v1, items: []}", "kind: must be Config"),
    ],
)
def test_what_reaches_into_this_machine_or_is_none_is_refused(text: bytes, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        connection_in(text)
    assert said in str(refused.value.problems[0])
    assert "secret" not in str(refused.value)


def test_a_name_may_be_any_that_cloud_providers_give() -> None:
    name = "arn:aws:eks:eu-west-1:123456789012:cluster/prod"
    contexts = [{"name": one, "context": {"cluster": "c", "user": "u"}} for one in (name, 7)]
    assert connection_in(kubeconfig(contexts=contexts), name).context == name
    assert connection_in(kubeconfig(contexts=contexts), "7").context == "7"
