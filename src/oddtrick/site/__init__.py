"""The site: its pages are generated from the lawbook and the records (`pages`) and rendered by
MkDocs with our plugin (`plugin`).
"""

from oddtrick.site.docs import pages
from oddtrick.site.render import build, serve, write_pages

__all__ = ["build", "pages", "serve", "write_pages"]
