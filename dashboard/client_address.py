"""Who asks: the address that a request came from, as far as it can be believed.

`X-Forwarded-For` and `X-Forwarded-Proto` count only from the proxies in SANDTABLE_TRUSTED_PROXIES: anybody
can send these headers. Without such a proxy the address is that of the connection itself.
"""

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]"}
MARKS_OF_PROXIES = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
PREFIX_OF_ONE_CLIENT = 64
"""An IPv6 client has a whole network of addresses to choose from."""


def behind_proxies(application: Any, proxies: Sequence[str]) -> Any:
    """Return the ASGI application with the client and scheme that these proxies, and no others, tell."""
    return ProxyHeadersMiddleware(application, list(proxies)) if proxies else application


def lockout_address(request: HttpRequest) -> str:
    """Return what counts as one client where failed sign-ins are counted.

    Addresses that one client can choose between freely are the same: those of this machine, and those of an
    IPv6 network.
    """
    text = request.META.get("REMOTE_ADDR", "")
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback:
        return "127.0.0.1"
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), PREFIX_OF_ONE_CLIENT), strict=False).network_address)
    return str(address)


def is_from_this_machine(request: HttpRequest) -> bool:
    """Tell whether the request began on this machine, and was not passed on by a proxy on it.

    A proxy on the same machine makes everybody look local. So nobody is once a proxy is trusted, and
    otherwise neither a proxy's headers nor the name of a public host may be in the request.
    """
    if settings.TRUSTED_PROXIES or lockout_address(request) != "127.0.0.1":
        return False
    host, _port = split_domain_port(request.get_host())
    return host in LOCAL_HOSTS and not any(name in request.headers for name in MARKS_OF_PROXIES)
