"""What workers and the reaper do: taking work, playing runs, importing, and bringing back what was lost."""
