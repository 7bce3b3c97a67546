"""kube-scheduler as pages and REST know it."""

from typing import Any

from django.urls import reverse

from dashboard.kinds.kind import Config, DashboardKind
from dashboard.kinds.kube.profiles import kube_profiles, profile_in_words
from dashboard.kinds.kube.sweepable import BEGUN, FIRST, sweepable
from dashboard.kinds.kube.waiting_words import Waits, waits_of
from dashboard.kinds.pages import Tab
from dashboard.kinds.sweepable import Setting
from dashboard.kinds.words import ProfileWords
from dashboard.models import Snapshot
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.kind import release_of
from scheduler_core.objects.kinds import RESOURCE_CLAIM, RESOURCE_SLICE
from scheduler_core.objects.privacy.configurations import CONFIGURATION_OF_A_SCENARIO
from scheduler_core.objects.privacy.configurations import KIND as CONFIGURATION
from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.schedulers.kind import Version

_SUMMARY = "plugins, configurable; nomination in the status"


class KubeKind(DashboardKind):
    """Its configuration is a KubeSchedulerConfiguration."""

    configuration = "KubeSchedulerConfiguration"
    follows_release = True
    begun = BEGUN
    summaries = {
        **{
            f"kube-{minor}": "plugins, configurable; nomination in the status" for minor in FRAMEWORK_RELEASES
        },
        "kube-1.13": "as 1.11; node conditions as taints; scores image locality",
        "kube-1.11": "predicates in order till one fails; nomination in status",
        "kube-1.9": "as 1.8, with disruption budgets; nominated room is kept",
        "kube-1.8": "predicates; annotated nominations; freed room isn't held",
    }
    drivers = {
        "instant": "by priority; victims vanish at once",
        "fifo": "first in, first out; victims vanish at once",
        "grace": "by priority; victims terminate till nothing else can be tried",
        "timed": "by priority and a clock; back-off, hints and grace periods count",
    }

    def profiles_in_words(self, built: Any, version: Version) -> list[ProfileWords]:
        return [profile_in_words(profile, release_of(version)) for profile in kube_profiles(built)]

    def waits(self, config: Config | None) -> Waits | None:
        return waits_of(config)

    def tabs(self, snapshot: Snapshot) -> list[Tab]:
        counts = snapshot.counts
        if not any(counts.get(str(kind)) for kind in (RESOURCE_SLICE, RESOURCE_CLAIM)):
            return []
        number = counts.get(str(RESOURCE_CLAIM), 0)
        return [Tab("devices", reverse("snapshot-devices", args=[snapshot.pk]), "Device claims", number)]

    def first_config(self) -> Config:
        return dict(FIRST)

    def sweepable(self, config: Config | None, version: Version) -> list[Setting]:
        return sweepable(version.build(config), version)

    def without_connections(self, config: Config | None) -> Config | None:
        """Return a configuration without connections, files and keys.

        Addresses of extenders stay; whether they may be asked must have been checked before.
        """
        return config and CONFIGURATION_OF_A_SCENARIO.keep_object(config, CONFIGURATION, Dropped())


KIND = KubeKind
