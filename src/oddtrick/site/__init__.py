"""The site: pages from the lawbook and the records."""
