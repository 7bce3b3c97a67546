"""The plugins, one file each; `volcano/registry.py` lists them."""
