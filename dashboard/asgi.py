"""The ASGI application: HTTP goes to Django, sockets to the consumers, each behind a guard of its own.

What is asked of extenders (by name, as the addresses of REST) is answered in front of Django.
"""

import os
import warnings

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402  models need Django set up
from django.conf import settings  # noqa: E402
from django.utils.module_loading import import_string  # noqa: E402

from dashboard.accounts.sockets import SocketAccess  # noqa: E402
from dashboard.body_limit import BodyLimit  # noqa: E402
from dashboard.client_address import behind_proxies  # noqa: E402
from dashboard.one_thread import OneThreadHandler  # noqa: E402
from dashboard.request_figures import MeasuredRequests  # noqa: E402
from dashboard.routing import websocket_urlpatterns  # noqa: E402
from dashboard.tracing.requests import traced  # noqa: E402

# WhiteNoise has static files read in a thread; that is what this warning is about, and nobody can act on it.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

with_doors = import_string("api.kinds.with_doors")

application = MeasuredRequests(
    behind_proxies(
        BodyLimit(
            ProtocolTypeRouter(
                {
                    "http": traced(with_doors(OneThreadHandler())),
                    "websocket": SocketAccess(URLRouter(websocket_urlpatterns)),
                }
            ),
            settings.BODY_LIMIT_BYTES,
        ),
        settings.TRUSTED_PROXIES,
    )
)
