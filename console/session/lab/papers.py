"""The papers' tables, figures and sections, in the order in which a reader comes to them."""

import re

ORDER = {
    "Feitelson & Weil 1998": (
        "abstract, section 1, section 2, Figure 1, section 2.1, section 2.2, Figure 2, Property 1, "
        "Property 2, section 3, section 3.1, Figure 3, section 3.2, Table 1, section 3.3, Figure 4, "
        "Table 2, section 4"
    ),
    "Streit 2002": (
        "abstract, section 1, section 2, section 3, Table 1, Figure 1, Figure 2, section 4, section 5, "
        "section 6, Table 2, Figure 3, Figure 4, Table 3, Table 4, Figure 5, section 7"
    ),
    "Talby & Feitelson 2005": (
        "abstract, section 1, section 2, section 2.1, section 2.2, Table 1, Table 2, section 2.3, Table "
        "3, Table 4, section 3, section 3.1, section 3.2, Figure 1, section 3.3, Figure 2, Table 5, "
        "section 3.4, Figure 3, Table 6, section 4, section 4.1, Table 7, section 4.2, Figure 4, section "
        "4.3, Table 8, Figure 5, section 5"
    ),
    "Niu et al. 2012": (
        "abstract, section 1, Figure 1, Figure 2, section 2, section 3, section 3.1, section 3.2, Figure "
        "3, section 3.3, section 4, section 4.1, Figure 4, Figure 5, section 4.2, Figure 6, section 5, "
        "section 5.1, section 5.2, Figure 7, section 6, section 7"
    ),
    "Feitelson & Jette 1997": (
        "abstract, section 1, section 2, Figure 1, Figure 2, Figure 3, Figure 4, section 3, section 3.1, "
        "section 3.2, Figure 5, section 3.3, Figure 6, section 4, section 4.1, Figure 7, section 4.2, "
        "Table 1, section 4.3, section 4.4, section 4.5, Figure 8, section 4.6, Table 2, section 4.7, "
        "Figure 9, Figure 10, Figure 11, Figure 12, section 4.8, Figure 13, Figure 14, Figure 15, "
        "section 4.9, section 5"
    ),
}
"""Of each paper, by the name that experiments give it."""

_ITEM = re.compile(
    r"(abstract)|(table|figure|section|property|properties)s?\s+(\d+(?:\.\d+)*)", re.IGNORECASE
)


def place_of(paper: str, item: str) -> tuple[int, str]:
    """Return a key that sorts items as their paper has them; what is not known comes last, by name.

    `Figures 9 to 12` has the place of Figure 9, `section 4.4.1` that of section 4.4.
    """
    known = ORDER.get(paper, "").lower().split(", ")
    found = _ITEM.search(item)
    if found is None:
        return len(known), item
    name = "abstract" if found[1] else f"{found[2].lower()} {found[3]}".replace("properties", "property")
    while name not in known and "." in name:
        name = name.rpartition(".")[0]
    return (known.index(name) if name in known else len(known)), item
