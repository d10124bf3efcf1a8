"""Reads and writes Oddtrick's own notation, `.hand`."""
