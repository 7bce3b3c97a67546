"""HAMi as a kind of scheduler: the kube-scheduler that its release installs, with HAMi as its extender."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scheduler_core.hami.configuration.installed import installed_settings
from scheduler_core.hami.configuration.kube_scheduler import INNER, URL_PREFIX, build_with_hami, kube_part
from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.edits import HamiCardEdits, registration
from scheduler_core.hami.imports.card_faults import card_faults
from scheduler_core.hami.imports.registered_cards import card_wishes, cards_by_resource, registered_cards
from scheduler_core.hami.imports.switches import left_out_cards, with_switches
from scheduler_core.hami.in_run.admission import HamiWebhook
from scheduler_core.hami.in_run.run import HamiExtender, HamiInRun
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.extenders.extender import Extender
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.kube.gates import read_gates
from scheduler_core.kube.kind import names_of_profiles, require_gates, settings_of
from scheduler_core.kube.queueing.backoff import backoff_of
from scheduler_core.kube.schedule_one import Settings, over_http
from scheduler_core.kube.scheduler import KubeScheduler
from scheduler_core.kube.timed_scheduler import TimedScheduler
from scheduler_core.objects.kinds import RESOURCE_QUOTA, kind_of
from scheduler_core.schedulers.actor import ApiServer
from scheduler_core.schedulers.card_tables import TABLES
from scheduler_core.schedulers.kind import Config, Made, Object, Play, PodWebhook, SchedulerKind, Version
from scheduler_core.schedulers.run_parts import Clock

PROFILE = "hami-2.10"


class HamiKind(SchedulerKind):
    """HAMi."""

    name = "hami"
    title = "HAMi"
    actor = "hami-scheduler"
    versions: Mapping[str, Version] = {PROFILE: Version(("instant", "timed"), build_with_hami)}
    unique = True
    moves_pods = True
    tables: Mapping[str, type] = TABLES
    inner_field = INNER
    own_extender = URL_PREFIX
    card_edits = HamiCardEdits()
    card_wishes = card_wishes()

    def names_in(self, config: Config) -> list[str]:
        inner = kube_part(config)
        own = str((config or {}).get("schedulerName") or self.actor)
        return names_of_profiles(inner if isinstance(inner, Mapping) else None, own)

    def webhook(self, config: Config, objects: Iterable[Object]) -> PodWebhook:
        return HamiWebhook(settings_in(config), objects)

    def cards_by_resource(self, node: Object) -> dict[str, int]:
        return cards_by_resource(node)

    def registered_devices(self, node: Object) -> int:
        return registered_cards(node)

    def registration(self, node: Object, name: str) -> dict[str, str]:
        return registration(node, name)

    def device_faults(self, nodes: Sequence[Object], pods: Iterable[Object]) -> list[str]:
        return card_faults(nodes, pods)

    def installed(self, config: Object, neighbours: Sequence[Mapping[str, Any]]) -> tuple[Object, int | None]:
        """Return its settings, with the first configuration of a kube-scheduler that asks it in them."""
        for place, neighbour in enumerate(neighbours):
            settings = installed_settings(config, [dict(neighbour)])
            if INNER in settings:
                return settings, place
        return installed_settings(config, []), None

    def left_out(self, config: Object, nodes: Sequence[Object]) -> list[str]:
        """Return which cards of nodes its settings leave out."""
        return left_out_cards(settings_in(with_switches(config, nodes)), nodes)

    def part(self, play: Play, clock: Clock) -> HamiInRun | None:
        made = next((made for made in play.made.values() if made.kind is self), None)
        if made is None:
            return None
        quotas = [item for item in play.objects if kind_of(item) == RESOURCE_QUOTA]
        return HamiInRun(play.state, made.built.hami, play.documents, quotas, clock)

    def make(self, play: Play, name: str, made: Made, api: ApiServer) -> KubeScheduler:
        settings = self._settings(play, made)
        require_gates(play, settings, clocked=False)
        return KubeScheduler(name, play.state, made.built, api, settings)

    def make_clocked(self, play: Play, name: str, made: Made, api: Any) -> TimedScheduler:
        settings = self._settings(play, made)
        require_gates(play, settings, clocked=True)
        early = read_gates(settings.feature_gates).pops_early
        backoff = backoff_of(kube_part(made.config), pops_early=early)
        return TimedScheduler(name, play.state, made.built, settings, backoff)

    def _settings(self, play: Play, made: Made) -> Settings:
        """Return the kube-scheduler's settings: its own HAMi answers it, other extenders over HTTP."""
        hami = play.parts[self.name]
        assert isinstance(hami, HamiInRun)

        def extender_of(extender: ExtenderSettings, exchanges: Exchanges) -> Extender:
            if extender.url_prefix == URL_PREFIX:
                return HamiExtender(extender, hami)
            return over_http(extender, exchanges)

        settings = settings_of(play, made.version, kube_part(made.config))
        return replace(settings, engine=PROFILE, extender_of=extender_of)


def settings_in(config: Config) -> Configuration:
    """Return HAMi's own settings of a scenario's configuration. Raises BadInput."""
    return build_with_hami(config).hami


KIND = HamiKind()
