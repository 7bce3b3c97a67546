"""The recorded formats, and the commands that answer in them."""
