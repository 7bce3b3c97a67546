"""``manage.py up``: one command that starts all parts on one machine, watches them, and stops them all.

``parts`` lists what runs, ``children`` starts and ends one process, ``readiness`` asks whether a part
serves and ``liveness`` whether it still does, ``supervision`` ties them together (``patience``: how long each
of them may take); ``broker`` describes the embedded Valkey, ``listening`` takes the port, ``preparation``
brings the database up to date. The supervisor itself never touches the database: what needs Django runs in
a child. Why this is our own code is told in docs/adr/0002-own-supervisor.md.
"""
