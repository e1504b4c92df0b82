"""What an operator may ask of a job."""

cpdef enum Verb:
    # In the order of VERB_NAMES.
    HOLD_JOB
    RELEASE_JOB
    CANCEL_JOB
    SUSPEND_JOB
    RESUME_JOB
    CLASS_OF_JOB
    PRIORITY_OF_JOB
    START_JOB
