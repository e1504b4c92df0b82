"""The words of the questions of training: what is asked, how choices are written, why an answer is right."""
