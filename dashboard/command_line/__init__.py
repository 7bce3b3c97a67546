"""The command `sandtable`: asks and answers in one process, without a server and without keeping anything.

`main.py` is its entry; each subcommand is a module with its name, read when it is called. `embedded.py` holds
a cluster of files in memory, so that the services of pages answer here too.
"""
