"""What the streams tell Prometheus."""

from dashboard.stream_figures import REGISTRY, Follower


def figure(name: str) -> float:
    return REGISTRY.get_sample_value(name) or 0.0


def test_the_lag_is_that_of_the_reader_furthest_behind_and_goes_with_it() -> None:
    clients, sent = figure("sandtable_stream_clients"), figure("sandtable_stream_decisions_total")
    slow, quick = Follower(), Follower()
    for follower in (slow, quick):
        follower.open()
        follower.found(500)
    quick.sent(500)
    slow.sent(100)
    assert figure("sandtable_stream_clients") == clients + 2
    assert figure("sandtable_stream_decisions_total") == sent + 600
    assert figure("sandtable_stream_lag_decisions") == 400
    slow.close()
    quick.close()
    assert figure("sandtable_stream_clients") == clients
    assert figure("sandtable_stream_lag_decisions") == 0
