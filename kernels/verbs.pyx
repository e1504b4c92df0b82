"""What an operator may ask of a job: the fixed words of scenario files. Which of them a policy knows it says itself."""

VERB_NAMES = ("hold", "release", "cancel", "suspend", "resume", "class", "priority", "start")
