"""What an operator may ask of a run: the fixed words of scenario files. Which of them a policy knows it says itself."""

VERB_NAMES = ("hold", "release", "cancel", "suspend", "resume", "class", "priority", "start",
              "drain", "down", "up", "policy", "parameter")
