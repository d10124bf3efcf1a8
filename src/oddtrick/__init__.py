"""The laws of bridge from 1904 to 1927: read, compared, cited and run."""

__version__ = "0.1.0"
