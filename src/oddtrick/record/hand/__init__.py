"""Oddtrick's own notation, `.hand`: read and written."""
