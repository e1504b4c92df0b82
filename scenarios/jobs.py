"""The [[job]] tables of a scenario file."""

from shadowtime.scenarios.machine import Draft
from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.workload import MAX_NODES, WIRES, Job, Request


def read_jobs(root: Table, draft: Draft | None) -> list[Job]:
    """The jobs that are right, in the order of the file; what is wrong with the others becomes faults."""
    jobs: list[Job] = []
    first: dict[int, int] = {}
    for index, table in enumerate(root.tables("job")):
        job = _read_job(table, draft)
        number = table.values.get("id")
        if type(number) is int and first.setdefault(number, index) != index:
            line = table.document.line(("job", first[number], "id"))
            table.fault("id", f"the job on line {line} has it already; expected an id of its own")
        if job is not None and not table.flawed:
            jobs.append(job)
    return jobs


def _read_job(table: Table, draft: Draft | None) -> Job | None:
    number = table.integer("id", required=True)
    size = table.integer("size", 1, required=True)
    if size is not None and draft is not None and draft.nodes is not None:
        machine = draft.machine(draft.nodes)
        if size > machine.capacity:
            table.fault("size", f"the machine has {machine.sized()}")
    elif size is not None and size > MAX_NODES:
        table.fault("size", f"expected at most {MAX_NODES}")
    submit = table.seconds("submit", required=True, instant=True)
    runtime = table.seconds("runtime", 1, required=True)
    estimate = table.seconds("estimate", 1)
    user, klass, queue, name, command = (
        table.text(key) or "" for key in ("user", "class", "queue", "name", "command")
    )
    request = _read_request(table, draft)
    table.close()
    if table.flawed or number is None or size is None or submit is None or runtime is None:
        return None
    limit = runtime if estimate is None else estimate
    return Job(number, size, submit, runtime, limit, user, klass, queue, name, command, request)


def _read_request(table: Table, draft: Draft | None) -> Request:
    """What a job asks for; a fault on a machine that is no torus."""
    wire, base, locked = table.integer("wire", 0, WIRES - 1), _read_base(table), table.boolean("locked")
    if draft is not None and draft.torus is None:
        for key in ("wire", "base", "locked"):
            if key in table.values:
                table.fault(key, "expected it on a torus only")
    return Request(wire, base, bool(locked))


def _read_base(table: Table) -> int | None:
    """The lowest processor of a block, written as Z, Y and X."""
    text = table.text("base")
    if text is None:
        return None
    if len(text) == 3 and text.isascii() and text.isdigit():
        z, y, x = map(int, text)
        if z < 8 and y < 4 and x < 8:
            return x + 8 * y + 32 * z
    table.fault("base", 'expected Z, Y and X of a processor, such as "020"')
    return None
