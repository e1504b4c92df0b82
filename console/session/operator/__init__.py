"""What the operator does: actions from their text to the kernel, refusals, the journal, saved sessions."""
