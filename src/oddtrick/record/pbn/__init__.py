"""Reads and writes Portable Bridge Notation."""
