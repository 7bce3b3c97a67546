"""What runs came to: sums over their logs for outcomes, charts and comparisons."""
