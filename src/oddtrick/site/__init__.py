"""The site: its pages are generated from the lawbook and the records (`docs`) and rendered by
MkDocs with our plugin (`plugin`).
"""

from oddtrick.site.render import build, serve, write_pages

__all__ = ["build", "serve", "write_pages"]
