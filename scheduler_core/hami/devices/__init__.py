"""The vendors whose cards HAMi hands out: one file each, listed in `all_vendors.py`."""
