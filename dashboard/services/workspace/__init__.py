"""What people make and change: snapshots, scenarios and runs, and what they choose from."""
