"""The actions of a session, one file each: `run(session)` is a session's part and yields at each step."""
