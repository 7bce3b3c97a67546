"""The web server's listening socket, taken by the supervisor before anything else starts.

So a taken port is told at once and plainly, and a web process that is restarted keeps the address: its
socket stays open in the supervisor, and browsers wait a moment instead of being refused.
"""

import errno
import ipaddress
import socket


class PortUnavailable(Exception):
    """The address cannot be listened on; the message says why and what to do."""


def take_port(host: str, port: int) -> socket.socket:
    """A TCP socket bound to the address, inheritable; it listens once the web server asks for it."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise PortUnavailable(f"HOST={host} is no address of this machine.") from error
    _refuse_if_answered(host, port)
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise PortUnavailable(_reason(error, host, port)) from error
    listener.set_inheritable(True)
    return listener


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _refuse_if_answered(host: str, port: int) -> None:
    """A server on the wildcard address would not stop us from binding loopback, but would confuse people."""
    try:
        with socket.create_connection((host, port), timeout=0.5):
            raise PortUnavailable(_taken(port))
    except OSError:
        return


def _reason(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return _taken(port)
    if error.errno == errno.EACCES:
        return f"Port {port} may only be used by root. Choose another one, for example: PORT=8000 make run"
    return f"Cannot listen on {host}, port {port}: {error.strerror}."


def _taken(port: int) -> str:
    other = port + 1 if port < 65535 else 8000
    return f"Port {port} is taken by another program. Choose another one, for example: PORT={other} make run"
