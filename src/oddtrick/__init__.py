"""The laws of bridge from 1900 to 1927: read, compared, cited and run."""

__version__ = "0.1.0"
