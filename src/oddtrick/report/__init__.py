"""Results as text, JSON and sheets."""
