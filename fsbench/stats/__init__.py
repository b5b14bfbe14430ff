"""Statistical tests, corrections and intervals."""
