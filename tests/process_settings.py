"""Settings of the processes that tests start: the test database, a broker of the tests, faulty parts."""

import os

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES

DATABASES["default"]["NAME"] = os.environ["SANDTABLE_TEST_DATABASE"]
SIMULATION_CLASS = os.environ.get("SANDTABLE_TEST_SIMULATION", "tests.fakes.FakeSimulation")
AXES_ENABLED = False  # what axes sets itself is lost where settings are read a second time
LEASE_SECONDS = float(os.environ.get("SANDTABLE_TEST_LEASE", "60"))
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": os.environ.get("SANDTABLE_TEST_LAYER", "channels_redis.pubsub.RedisPubSubChannelLayer"),
        "CONFIG": {"hosts": [os.environ["SANDTABLE_BROKER_URL"]], "prefix": "sandtable"},
    },
}
