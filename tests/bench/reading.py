"""How fast a log is read, from bytes to columns, and beside pandas where it is installed."""

import importlib
import importlib.util
import io
import lzma
from collections.abc import Iterator

from shadowtime.scenarios.traces.rows import first_row, read_rows
from tests.bench.figures import Figure, cpu_seconds
from tests.bench.workloads import log_file


def reading() -> Iterator[Figure]:
    """The rows of SDSC-BLUE, plain text in memory."""
    path = log_file("SDSC-BLUE")
    if path is None:
        yield Figure("read SDSC-BLUE", None, "ns/row", 200, "log not found")
        return
    text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    start, line = first_row(text)
    count = read_rows(text, start, line, nodes=1152).all_rows
    ours = cpu_seconds(lambda: read_rows(text, start, line, nodes=1152), 5)
    yield Figure("read SDSC-BLUE", ours / count * 1e9, "ns/row", 200)
    if importlib.util.find_spec("pandas") is None:
        yield Figure("reading, against pandas", None, "x", 0.1, "pandas is not installed")
        return
    pandas = importlib.import_module("pandas")
    theirs = cpu_seconds(lambda: pandas.read_csv(io.BytesIO(text), sep=r"\s+", comment=";", header=None), 2)
    yield Figure("reading, against pandas", ours / theirs, "x", 0.1)
