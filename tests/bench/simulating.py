"""How fast the kernel is: whole runs with metrics and node owners, growth with the queue, copies."""

import time
from collections.abc import Callable, Iterator

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.bench.figures import Figure, cpu_seconds, growth
from tests.bench.workloads import LOGS, crowd, log_case

EASY_GOALS = {"KTH-SP2": 220, "SDSC-SP2": 220, "SDSC-BLUE": 220, "Curie": 600}
"""Nanoseconds a job; the C++ limit without metrics and owners is about 120."""
CONSERVATIVE = ("KTH-SP2", "SDSC-SP2", "CTC", "SDSC-BLUE")


def policies() -> Iterator[Figure]:
    """EASY, FCFS and conservative on the logs."""
    for name in LOGS:
        case = log_case(name)
        if case is None:
            yield Figure(f"EASY on {name}", None, "ns/job", EASY_GOALS.get(name), "log not found")
            continue
        jobs, nodes = case.jobs, case.nodes

        def seconds(policy: str, times: int) -> float:
            return cpu_seconds(lambda: Simulation(jobs, nodes, make(policy)).run(), times)  # noqa: B023

        easy, fcfs = seconds("easy", 5), seconds("fcfs", 3)
        yield Figure(f"EASY on {name}", easy / len(jobs) * 1e9, "ns/job", EASY_GOALS.get(name))
        yield Figure(f"EASY against FCFS on {name}", easy / fcfs, "x", 8)
        if name in CONSERVATIVE:
            conservative = seconds("conservative", 2)
            detail = f"{conservative / len(jobs) * 1e9:,.0f} ns/job"
            yield Figure(f"conservative against EASY on {name}", conservative / easy, "x", 15, detail)


def schedulers() -> Iterator[Figure]:
    """Every other scheduler that shares space, against EASY, on KTH."""
    case = log_case("KTH-SP2")
    if case is None:
        yield Figure("schedulers on KTH-SP2", None, "x", 20, "log not found")
        return
    jobs, nodes = case.jobs, case.nodes

    def seconds(policy: str, **parameters: object) -> float:
        return cpu_seconds(lambda: Simulation(jobs, nodes, make(policy, parameters)).run(), 3)

    easy = seconds("easy")
    took = {
        name: seconds(name)
        for name in ("sjf", "ljf", "dynp", "ivs", "maui", "flex", "wbas", "checkpoint", "prime", "unicos")
    }
    took["maui, weights"] = seconds("maui", weight_queue_time=1.0, weight_expansion=1.0)
    took["maui, preempt"] = seconds("maui", preempt=True)
    for name, spent in took.items():
        detail = f"{spent / len(jobs) * 1e9:,.0f} ns/job"
        yield Figure(f"{name} against EASY on KTH-SP2", spent / easy, "x", 20, detail)
    together = took["flex"] + seconds("maui", windows="widest")
    pbas = seconds("pbas")
    detail = f"{pbas / len(jobs) * 1e9:,.0f} ns/job; {pbas / easy:.1f} x EASY"
    yield Figure("pbas against its candidates together", pbas / together, "x", 1.25, detail)


def gangs() -> Iterator[Figure]:
    """Gang scheduling with whole turns skipped, against an event a switch, on KTH."""
    case = log_case("KTH-SP2")
    if case is None:
        yield Figure("gang, turns skipped, on KTH-SP2", None, "x", None, "log not found")
        return
    jobs, nodes = case.jobs, case.nodes

    def stepped() -> Simulation:
        # To look for decisions is to go through every event.
        simulation = Simulation(jobs, nodes, make("gang"))
        while simulation.run(decisions=1_000_000):
            pass
        return simulation

    def skipped() -> Simulation:
        simulation = Simulation(jobs, nodes, make("gang"))
        simulation.run()
        return simulation

    alike = stepped().digest() == skipped().digest()
    each, whole = cpu_seconds(stepped, 1), cpu_seconds(skipped, 2)
    detail = f"{whole / len(jobs) * 1e6:,.0f} us/job; {'the same' if alike else 'ANOTHER'} state at the end"
    yield Figure("gang, q = 10 s: turns skipped against stepped", whole / each, "x", 0.5, detail)


def growths() -> Iterator[Figure]:
    """How the cost of an event, or of a completion before its predicted end, grows with the queue."""
    yield growth_of("EASY, an event", "easy", (1_000, 3_000, 10_000, 50_000), an_event, 0.8)
    sizes = (100, 300, 1_000, 3_000, 10_000)
    yield growth_of("conservative, an early completion", "conservative", sizes, _a_completion, 1.1)


def growth_of(
    what: str, policy: str, sizes: tuple[int, ...], cost: Callable[[Simulation], float], goal: float
) -> Figure:
    lengths, costs = [], []
    for size in sizes:
        simulation = Simulation(crowd(size, 2_000), 1024, make(policy))
        simulation.run(until=0)
        costs.append(cost(simulation))
        lengths.append(len(simulation.waiting()))
    detail = f"{costs[0] * 1e6:.1f} us at {lengths[0]:,} queued, {costs[-1] * 1e6:.1f} us at {lengths[-1]:,}"
    return Figure(f"growth of {what}, exponent", growth(lengths, costs), "", goal, detail)


def an_event(simulation: Simulation) -> float:
    """Seconds an event, on average."""
    begin = time.process_time()
    done = simulation.run(events=4_000)
    return (time.process_time() - begin) / done


def _a_completion(simulation: Simulation) -> float:
    """Seconds a pass after a completion, on average over 100 of them."""
    took: list[float] = []
    ended = False
    while len(took) < 100:
        begin = time.process_time()
        simulation.step()
        spent = time.process_time() - begin
        kind = EVENT_NAMES[simulation.last[1]] if simulation.last else ""
        if kind == "pass" and ended:
            took.append(spent)
        ended = kind in ("finish", "kill") or (ended and kind != "pass")
    return sum(took) / len(took)


def copies() -> Iterator[Figure]:
    """A copy of the moving state with 10,000 jobs queued."""
    for policy in ("easy", "conservative"):
        simulation = Simulation(crowd(10_000, 10), 1024, make(policy))
        simulation.run(until=300)
        took = []
        for _ in range(200):
            begin = time.perf_counter()
            copy = simulation.copy()
            took.append(time.perf_counter() - begin)
        yield Figure(f"copy, {policy}, 10,000 queued", sorted(took)[100] * 1e6, "us", 50)
        yield Figure(f"size of a copy, {policy}, 10,000 queued", copy.size / 1000, "kB", 300)
