"""Jobs as they are shown: rows, names, order, filters, predictions."""
