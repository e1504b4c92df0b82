"""The policies of the papers, as the table has them."""

from collections.abc import Mapping
from functools import partial

from shadowtime.kernels.core.jobs import SERVICES
from shadowtime.kernels.planning.ordering import ORDERS
from shadowtime.kernels.policies.bold import BoldEasy
from shadowtime.kernels.policies.checkpoint import Checkpoint
from shadowtime.kernels.policies.conservative import Conservative
from shadowtime.kernels.policies.easy import Easy
from shadowtime.kernels.policies.fcfs import Fcfs
from shadowtime.kernels.policies.flex import COSTS, Flex
from shadowtime.kernels.policies.gang.policy import PACKINGS, Gang
from shadowtime.kernels.policies.manual import Manual
from shadowtime.kernels.policies.maui import WINDOWS, Maui
from shadowtime.kernels.policies.orders import DynP, Ivs, Ordered
from shadowtime.kernels.policies.pbas import METRICS, Pbas
from shadowtime.kernels.policies.plain import PlainPolicy
from shadowtime.kernels.policies.policy import Policy
from shadowtime.kernels.policies.prime import Prime
from shadowtime.kernels.policies.table import Parameter, PolicyEntry
from shadowtime.kernels.policies.torus.classes import TABLES
from shadowtime.kernels.policies.torus.t3d import NEIGHBOURS, RESTORES, T3D, TRANSFERS
from shadowtime.kernels.policies.torus.unicos import Unicos
from shadowtime.kernels.policies.wbas import Wbas


def _easy(name: str, parameters: Mapping[str, object]) -> Policy:
    """EASY, or with what only the other one knows, that."""
    bold = parameters["relax"] or parameters["speculate"] or parameters["predict"] != "estimates"
    return (BoldEasy if bold else Easy)(name, parameters)


_REPLANNED = (
    "choice: every pass plans all waiting jobs from scratch, so no start is guaranteed; those placed "
    "at now start",
)

_CHANGING = (
    "choice: a change plans the waiting jobs anew in order of arrival; Flex keeps the deadlines that it gave",
    "reconstruction: Flex, a candidate by default, is one",
)
_PHASE = Parameter("phase", 0, "duration", "from the first submission to the first review; 0: a whole frame")
"""Of the policies that review at instants of their own which scheduler is in force."""

ENTRIES = (
    PolicyEntry(
        "fcfs",
        "First come, first served: nothing passes the head of the queue.",
        "Feitelson & Weil 1998, section 1",
        1,
        Fcfs,
        (Parameter("leapfrog", 0, "int", "how many jobs may pass a blocked head before all wait for it"),),
        (
            "choice: those that passed a job before it was the head do not count; no estimate is read",
            "choice: leapfrog=1000000 stands for LoadLeveler without estimates, not defined there",
        ),
        compared=5,
        reserves="nobody",
        by_hand="baseline",
    ),
    PolicyEntry(
        "easy",
        "EASY backfilling: a job may pass if it does not delay the head of the queue.",
        "Feitelson & Weil 1998, Figure 2",
        2,
        _easy,
        (
            Parameter(
                "scan",
                "arrival",
                "choice",
                "the order in which the jobs behind the head are tried; ties by arrival",
                ORDERS,
            ),
            Parameter(
                "reservation",
                "recomputed",
                "choice",
                "every pass makes the reservation of the head anew, or the head keeps its first one",
                ("recomputed", "kept"),
            ),
            Parameter(
                "relax",
                0.0,
                "number",
                "the head may start later by so much of its expected wait: Ward et al. 2002",
            ),
            Parameter(
                "predict",
                "estimates",
                "choice",
                "by what is planned: the estimates, or the mean of the user's last two runtimes, corrected "
                "when a job outlives it (with scan=shortest EASY++: Tsafrir et al. 2007)",
                ("estimates", "users"),
            ),
            Parameter(
                "speculate",
                0.0,
                "number",
                "above 0, jobs that would end too late start if so much of their estimate fits, and are "
                "killed when the head needs their nodes: Perkovic & Keleher 2000",
            ),
        ),
        (
            "choice: all jobs that end at the shadow time count towards the extra nodes, ties included",
            "choice: a running job whose predicted end has passed counts as ending a second from now",
            "choice: reservation=kept, in which the head keeps its first reservation, is for comparison",
            "choice: relax, predict and speculate are readings, stated in the documentation",
        ),
        preempts=True,
        compared=1,
        passes=True,
        reserves="head",
        by_hand="response",
    ),
    PolicyEntry(
        "conservative",
        "Conservative backfilling: every job has a reservation at once, and it only ever moves earlier.",
        "Feitelson & Weil 1998, Figure 1 and text",
        3,
        Conservative,
        (
            Parameter(
                "compress",
                "arrival",
                "choice",
                "after completions: move reservations earlier in order of arrival; or replan all from "
                "scratch in every pass (no guarantee)",
                ("arrival", "replan"),
            ),
        ),
        (
            "choice: one compression an instant, after all its completions and before its arrivals",
            "choice: replan is Figure 1 read literally; it breaks the guarantee and is there to compare",
        ),
        compared=2,
        passes=True,
        by_hand="response",
    ),
    PolicyEntry(
        "sjf",
        "Shortest job first: all waiting jobs are planned anew in every pass, shortest estimate first.",
        "Streit 2002",
        4,
        Ordered,
        (),
        _REPLANNED,
        by_hand="response",
        reorders=True,
    ),
    PolicyEntry(
        "ljf",
        "Longest job first: all waiting jobs are planned anew in every pass, longest estimate first.",
        "Streit 2002",
        4,
        Ordered,
        (),
        _REPLANNED,
        by_hand="response",
        reorders=True,
    ),
    PolicyEntry(
        "dynp",
        "dynP: SJF, FCFS or LJF, chosen in every pass by the mean estimate of the waiting jobs (AERT).",
        "Streit 2002",
        4,
        DynP,
        (
            Parameter("lower", 7200, "duration", "an AERT up to this: SJF"),
            Parameter("upper", 9000, "duration", "an AERT up to this: FCFS; beyond it: LJF"),
            Parameter("threshold", 5, "int", "with fewer waiting jobs the order in force is kept"),
        ),
        (*_REPLANNED, "choice: it starts as FCFS"),
        reorders=True,
    ),
    PolicyEntry(
        "ivs",
        "IVS: FCFS while the machine is not utilized, else SJF or LJF as interactive or batch jobs outnumber "
        "the others.",
        "Streit 2002",
        4,
        Ivs,
        (
            Parameter("delta", 0, "int", "by more than so many must one class outnumber the other"),
            Parameter(
                "utilized", 0.5, "number", "share of busy nodes from which on the machine counts as utilized"
            ),
            Parameter(
                "interactive",
                900,
                "duration",
                "without classes: jobs with an estimate up to this are interactive",
            ),
        ),
        (
            *_REPLANNED,
            "choice: utilized from half of the nodes on",
            "choice: where the workload has no classes, an estimate up to 15 minutes makes a job interactive",
        ),
        reorders=True,
    ),
    PolicyEntry(
        "maui",
        "Maui: EASY with two kinds of backfill window, priorities by weights, or preemption in place of a "
        "reservation.",
        "Talby & Feitelson 2005",
        5,
        Maui,
        (
            Parameter(
                "windows",
                "queue",
                "choice",
                "who may pass the head first: whoever comes first, or in the widest window those that end in "
                "time, then those within the extra nodes",
                WINDOWS,
            ),
            Parameter("reservations", 1, "int", "the number of jobs that cannot be delayed"),
            Parameter(
                "preempt",
                False,
                "bool",
                "no reservation: whatever fits starts, and stops again as soon as that lets the head start",
            ),
            Parameter("weight_queue_time", 0.0, "number", "priority of a minute waited"),
            Parameter("weight_expansion", 0.0, "number", "priority of (wait + estimate) / estimate"),
            Parameter("weight_size", 0.0, "number", "priority of a node"),
            Parameter("weight_class", 0.0, "number", "priority of a level of the job's class"),
            Parameter(
                "weight_wfp",
                0.0,
                "number",
                "priority of (wait / estimate)^3 * size: alone it is Cobalt's WFP",
            ),
        ),
        (
            "with the queue window and without weights it is EASY, start for start",
            "known: by arrival it does not give the paper's row for KTH (6731 s, 63.3); with "
            "weight_queue_time = -1, the newest first, it is within 4 %",
            "choice: priorities are weighed anew in each pass, and after each preemption in it; a job has "
            "waited since it last entered the queue; ties keep the places of the queue",
            "choice: with several reservations a pass makes all of them anew, in the order of the queue",
            "choice: who passes the head counts as backfilled, also where the head is the first by priority",
            "choice: weight_wfp is the score of Cobalt (Tang et al. 2009), with one reservation",
            "choice: with preemption the windows do not matter, a head stops the largest jobs first, ties "
            "the earlier started, and who restarts as a head is not stopped again",
        ),
        preempts=True,
        passes=True,
        reserves="head",
        reorders=True,
    ),
    PolicyEntry(
        "flex",
        "Flex, slack-based: every job has a planned start that may be pushed back, but never past "
        "its deadline.",
        "Talby & Feitelson 2005",
        6,
        Flex,
        (
            Parameter(
                "slack", 3600, "duration", "how far past its first feasible start a job's deadline lies"
            ),
            Parameter(
                "slack_factor", None, "number", "in place of slack: so many times the mean wait so far"
            ),
            Parameter("cost", "wait", "choice", "what the plan of least total cost is measured by", COSTS),
            Parameter("heavy", False, "bool", "jobs of more work than the mean get less slack in proportion"),
        ),
        (
            "reconstruction: the formulae of 1999 on which the paper builds were not found; plan, "
            "insertion, cost and "
            "deadline are the reading that the documentation states",
            "choice: after a completion every planned job is put back at its earliest time once, in "
            "list order",
        ),
        passes=True,
        by_hand="response",
    ),
    PolicyEntry(
        "pbas",
        "PBAS: the candidate whose own virtual machine did best in the last frame is in force.",
        "Talby & Feitelson 2005",
        7,
        Pbas,
        (
            Parameter(
                "candidates",
                ("flex", {"name": "maui", "windows": "widest"}),
                "policies",
                "the schedulers, each a name or a table with its parameters; the first one begins",
            ),
            Parameter("frame", 604800, "duration", "time between two reviews"),
            Parameter("metric", "utilization", "choice", "by what they are compared", METRICS),
            Parameter("history", 0, "duration", "the time that a score covers, in frames; 0: one frame"),
            _PHASE,
        ),
        (
            "choice: ties keep the candidate in force; for all metrics but utilization so does a candidate "
            "that completed nothing",
            "choice: a longer history counts what each candidate did on its machine of that time",
            *_CHANGING,
        ),
        reorders=True,
    ),
    PolicyEntry(
        "wbas",
        "WBAS: one scheduler while the jobs that came in the last frame are wider than those before, "
        "else another.",
        "Talby & Feitelson 2005",
        7,
        Wbas,
        (
            Parameter("wide", "flex", "policy", "in force while wide jobs come"),
            Parameter(
                "narrow", {"name": "maui", "windows": "widest"}, "policy", "in force otherwise; it begins"
            ),
            Parameter("frame", 86400, "duration", "time between two reviews"),
            Parameter("maf", 7500, "int", "arrivals after which the moving average forgets"),
            _PHASE,
        ),
        (
            "choice: the average is a plain mean until as many jobs have come as it forgets by",
            *_CHANGING,
        ),
        reorders=True,
    ),
    PolicyEntry(
        "checkpoint",
        "Checkpoint-based backfilling: backfilled jobs are predicted to take a share of their estimates, and "
        "stop when the blocked head's time has come.",
        "Niu et al. 2012, Algorithms 1-3",
        8,
        Checkpoint,
        (
            Parameter("p", 0.2, "number", "share of its estimate that a backfilled job is predicted to take"),
            Parameter("threshold", 1800, "duration", "estimates below this are believed"),
            Parameter("delay", 0, "duration", "from a preemption to the head's run"),
            Parameter("extend", 0, "duration", "without progress at the head of a restarted run"),
            Parameter("limit", 0, "int", "how often a job is stopped at most; 0: no limit"),
            Parameter("memory", 0.0, "number", "gigabytes of a node; above 0, delay and extend go by it"),
            Parameter("bandwidth", 0.595, "number", "gigabytes per second of an I/O node for checkpoints"),
            Parameter("group", 64, "int", "nodes that an I/O node serves"),
        ),
        (
            "choice: a job that runs as a head is not stopped, else jobs would stop each other for ever",
            "choice: those who stop queue at the front in order of arrival; the scan goes in the "
            "order of the "
            "queue",
            "choice: only a head for which others stopped waits for the delay, and its predicted end counts "
            "from the end of it",
            "choice: p counts in millionths, and predictions are rounded up to seconds",
            "choice: a job that was stopped as often as it may be is backfilled by the rest of its estimate",
            "choice: with a memory, jobs narrower than the nodes of an I/O node are saved sooner",
        ),
        preempts=True,
        passes=True,
        reserves="head",
    ),
    PolicyEntry(
        "prime",
        "Prime and non-prime time: by day only short jobs, and middling ones while many nodes are free.",
        "Feitelson & Jette 1997, section 3.1",
        9,
        Prime,
        (
            Parameter("shift", 43200, "duration", "length of a shift; the first, from second 0 on, is prime"),
            Parameter("large", 32, "int", "the most nodes of a job that is not short, in prime time"),
            Parameter("short", 600, "duration", "runtimes up to this are eligible at any time"),
            Parameter("long", 14400, "duration", "runtimes beyond this never are in prime time"),
            Parameter("reserve", 32, "int", "nodes that must be free before a job starts that is not short"),
            Parameter("phase", 0, "duration", "the instant at which a prime shift begins"),
            Parameter("length", 0, "duration", "prime time in a cycle of two shifts; 0: one shift"),
        ),
        (
            "it goes by the actual runtimes, as the paper does; a forecast goes by the estimates",
            "choice: a job that is not eligible is skipped and never ends the scan",
            "choice: jobs that run when a shift begins run on",
        ),
    ),
    PolicyEntry(
        "t3d",
        "The LLNL T3D gang scheduler: classes of service, blocks of a torus, and jobs saved and restored.",
        "Feitelson & Jette 1997, section 4",
        11,
        T3D,
        (
            Parameter("table", "clock", "choice", "which table of classes is in force", TABLES),
            Parameter(
                "interactive_limits",
                False,
                "bool",
                "interactive jobs wider than 64, or longer than 2 h, are refused",
            ),
            Parameter("strict_limits", False, "bool", "late jobs too keep to the limits of classes and size"),
            Parameter("restore", "best_fit", "choice", "where a saved job is restored", RESTORES),
            Parameter("wires", "shared", "choice", "whether jobs on one wire may be adjacent", NEIGHBOURS),
            Parameter("io", "parallel", "choice", "whether transfers overlap", TRANSFERS),
            Parameter("storage", 768, "int", "processors whose jobs' memory fits beside the machine"),
            Parameter("job_limit", 256, "int", "processors of a job"),
            Parameter(
                "system_limit", 576, "int", "processors of all jobs that run or ran, no new job passes it"
            ),
            Parameter("large", 64, "int", "from so many processors on a job is large"),
            Parameter("large_limit", 192, "int", "processors of large jobs by day"),
            Parameter("classes", {}, "classes", "what differs from the table of classes by day", SERVICES),
        ),
        (
            "choice: everything that the paper does not say is settled by the rules in the documentation, to "
            "the second",
            "known: without NQS in front batch jobs fill the system limit, and interactive ones wait long",
            "known: benchmark and standby jobs may starve; preemption rises with size",
        ),
        preempts=True,
        places_blocks=True,
        needs_torus=True,
        compared=4,
    ),
    PolicyEntry(
        "unicos",
        "UNICOS MAX: whatever fits starts, until a job that does not fit has waited too long; on the T3D's "
        "torus in blocks.",
        "Feitelson & Jette 1997, section 4",
        11,
        Unicos,
        (Parameter("limit", 3600, "duration", "who has waited longer holds back all jobs behind"),),
        (
            "choice: variable partitioning; a machine without the T3D's torus has no shapes",
            "choice: a job that has waited exactly the limit holds back nobody, and no timer rings "
            "when it has",
        ),
        preempts=True,
        places_blocks=True,
        compared=3,
    ),
    PolicyEntry(
        "gang",
        "Gang scheduling: jobs are packed into the rows of a matrix, and the rows take turns on the machine.",
        "Feitelson & Jette 1997, section 3.1",
        10,
        Gang,
        (
            Parameter("quantum", 10, "duration", "how long a row has the machine"),
            Parameter("packing", "buddy", "choice", "how jobs are given their columns", PACKINGS),
            Parameter(
                "alternate", True, "bool", "jobs of other rows run beside it where their columns are idle"
            ),
            Parameter("unify", True, "bool", "rows without a column in common become one"),
            Parameter(
                "overhead", 0, "duration", "seconds without progress at the head of a quantum of another row"
            ),
            Parameter("slots", 0, "int", "rows at most; 0: no limit"),
            Parameter("placing", True, "bool", "a pass places waiting jobs; false: only the operator does"),
        ),
        (
            "choice: the load of a block is the number of unfinished jobs, in all rows, with a column in it",
            "choice: load, alternates, unification and utilization look at columns only, not at the padding "
            "of blocks",
        ),
        preempts=True,
        reserves="nobody",
    ),
    PolicyEntry(
        "manual",
        "Manual: nothing starts unless the operator starts it.",
        "none: it is there to be trained with",
        0,
        partial(PlainPolicy, kind=Manual),
    ),
)
