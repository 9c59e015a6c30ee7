"""How the site is built: ``python -m sphinx -W docs out/site``. Everything is local; nothing is fetched."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pages

import sbg_sim

project = "sbg_sim"
author = copyright = "The sbg_sim authors"  # noqa: A001 - Sphinx calls it so
version = release = sbg_sim.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode", "sphinx_copybutton"]
exclude_patterns = ["out", "static/**"]
default_role = "code"  # a name in single backticks, as docstrings have them
templates_path: list[str] = []

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # notebooks come executed, and the tests execute them again
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_rtype = False
add_module_names = False
python_use_unqualified_type_names = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "sbg_sim"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#28527a", "color-brand-content": "#28527a"},
    "dark_css_variables": {"color-brand-primary": "#8fb8de", "color-brand-content": "#8fb8de"},
}
nitpicky = False


def setup(app: object) -> None:
    """Make the pages that are told by the program itself, and put the others in their places."""
    pages.make(Path(__file__).parent)
    app.connect("source-read", pages.fill)  # type: ignore[attr-defined]
