"""What an operator may ask of a run."""

cpdef enum Verb:
    # In the order of VERB_NAMES: first what is asked of a job, then of nodes, then of the policy.
    HOLD_JOB
    RELEASE_JOB
    CANCEL_JOB
    SUSPEND_JOB
    RESUME_JOB
    CLASS_OF_JOB
    PRIORITY_OF_JOB
    START_JOB
    DRAIN_NODES
    DOWN_NODES
    UP_NODES
    SET_POLICY
    SET_PARAMETER
