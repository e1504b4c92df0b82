"""Tables: fields that are declared once for each kind of row, and the filters and orders that read them."""
