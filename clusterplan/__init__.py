"""Plan the site and facility of an AI training cluster."""

__version__ = "0.1.0"
