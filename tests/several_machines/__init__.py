"""The product on several machines: each part in a network, a host name and a process space of its own.

``python -m tests.several_machines`` kills a worker host, cuts another off and restarts the broker under runs
that are followed; ``python -m tests.several_machines.soak`` does such things by chance for an hour;
``python -m tests.several_machines.efficiency`` measures a sweep on one worker and on four. All need root,
RabbitMQ and Redis, and leave nothing behind: the kernel ends every process with the program's own space.
"""
