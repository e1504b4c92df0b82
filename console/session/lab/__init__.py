"""The lab: experiments that reproduce the papers' tables and figures, cell by cell."""
