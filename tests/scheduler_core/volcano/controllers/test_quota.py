"""What a pod counts as against a quota."""

from scheduler_core.volcano.controllers.quota import (
    add,
    quota_usage,
    read_amounts,
    same_amounts,
    text_of,
    times,
)


def container(restart="", **resources):
    return {"restartPolicy": restart, "resources": resources}


def usage(**spec):
    told = text_of(quota_usage(spec))
    assert (told.pop("pods"), told.pop("count/pods")) == ("1", "1")
    return told


def test_requests_and_limits_are_counted_under_their_names():
    requests = {"cpu": "500m", "memory": "1Gi", "example.com/fpga": "2", "hugepages-2Mi": "4Mi", "odd": "1"}
    assert usage(containers=[container(requests=requests, limits={"cpu": "1", "example.com/fpga": "2"})]) == {
        "cpu": "500m",
        "requests.cpu": "500m",
        "limits.cpu": "1",
        "memory": "1Gi",
        "requests.memory": "1Gi",
        "example.com/fpga": "2",
        "requests.example.com/fpga": "2",
        "hugepages-2Mi": "4Mi",
        "requests.hugepages-2Mi": "4Mi",
    }


def test_a_limit_alone_is_no_request():
    assert usage(containers=[container(limits={"cpu": "1"})]) == {"limits.cpu": "1"}


def test_a_sidecar_adds_to_the_sum_and_to_later_init_containers():
    told = usage(
        containers=[container(requests={"cpu": "1"})],
        initContainers=[
            container("Always", requests={"cpu": "250m"}),
            container(requests={"cpu": "2"}),
        ],
    )
    assert told["cpu"] == "2250m"


def test_overhead_is_a_request_and_raises_only_limits_that_are_there():
    told = usage(
        containers=[container(requests={"cpu": "1"}, limits={"cpu": "2"})],
        overhead={"cpu": "100m", "memory": "64Mi"},
    )
    assert told == {
        "cpu": "1100m",
        "requests.cpu": "1100m",
        "limits.cpu": "2100m",
        "memory": "64Mi",
        "requests.memory": "64Mi",
    }


def test_requests_of_the_pod_replace_those_of_its_containers():
    told = usage(containers=[container(requests={"cpu": "1"})], resources={"requests": {"cpu": "3"}})
    assert told["requests.cpu"] == "3"


def test_a_sum_is_written_as_its_first_part():
    total = read_amounts({"memory": "0"})
    add(total, read_amounts({"memory": "512Mi"}))
    add(total, read_amounts({"memory": "536870912"}))
    assert text_of(total) == {"memory": "1Gi"}


def test_no_pods_count_as_nothing():
    assert times(quota_usage({}), 0) == {}


def test_amounts_are_the_same_however_they_are_written():
    assert same_amounts({"cpu": "1000m"}, {"cpu": 1})
    assert same_amounts(None, {})
    assert not same_amounts({"cpu": "1"}, {"cpu": "1", "memory": "1"})
