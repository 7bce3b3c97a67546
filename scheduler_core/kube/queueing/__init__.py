"""kube-scheduler's scheduling queue since the framework, with its cluster events and hints.

It is written as that of 1.36; a release's module in `kube/framework_releases/` has what it does otherwise.

How to use it. Instants (`now`) are whole numbers of nanoseconds from a whole second on, and never go back:

    queue = SchedulingQueue(profiles, view, backoff_of(config, pops_early=early))
    handlers = EventHandlers(queue, assumed)

    handlers.added(item, now)                 # the cluster's news: typed objects of any watched kind
    handlers.updated(old, new, now)           # (a binding is an update that gives the pod its node)
    handlers.deleted(item, now)
    flying, report = queue.pop()              # None: nobody can be tried; `next()` only looks
    queue.done(uid)                           # the attempt succeeded, before its binding arrives
    queue.nominator.remove(uid)               # ... and the pod is assumed on its node
    queue.put_back(uid, newest, Failure(plugins, pending, nominate), now)
    queue.activate(pods, now)
    queue.flush_backoff(now)                  # at every whole second
    queue.flush_unschedulable(now)            # every 30 seconds

`profiles` come from `build_profiles`; `view` is what hints ask of the cluster (`hint.ClusterView`);
`assumed(pod)` answers with a pod as it was assumed on its node while its binding is under way. Each operation
returns a `Report`: the events with the hints' answers, and the moves with the event that caused each.

What is where: `queue.tables` has `active()`, `backoff()` in the order of pops and `members(part)` by name;
`queue.nominator.of_nodes()` the nominations. A pod is known by its uid and is in exactly one part.

All mutable data is in `queue.tables`, changed by its `put(table, key, new)` alone, which goes through the
journal that the queue was given: so it is undone, and the log has the parts if the queue has a name there.
`dump()` and `load(data, pods)` serve checkpoints.

- `cluster_event.py`, `property_changes.py`: what an event is; which events a change of a pod or a node is
- `hint.py`, `listening.py`, `worth_requeuing.py`: what a hint is (each plugin has its own), which plugins
  listen, the answers
- `scheduling_queue.py`, `event_handlers.py`, `report.py`: the operations, the cluster's news, what they did
- `queue_parts.py`: who is in which part and who is first; every version's and driver's queue is kept in these
- `behaviour.py`: what a release's queue does otherwise, apart from hints
- `queued_pod.py`, `backoff.py`, `in_flight.py`, `nominator.py`, `queue_tables.py`: what is remembered of pods
- `watched.py`, `pod_facts.py`: the kinds of objects; what is asked of a pod
"""
