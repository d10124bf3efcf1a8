"""The site: pages from the lawbook and the records (`pages`), rendered by MkDocs (`build`,
`serve`).
"""

from oddtrick.site.docs import pages
from oddtrick.site.mkdocs import build, serve

__all__ = ["build", "pages", "serve"]
