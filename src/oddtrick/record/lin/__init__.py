"""LIN, the notation of Bridge Base Online: read and written."""
