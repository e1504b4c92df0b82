"""How the compiled modules are built; everything else stands in pyproject.toml.

The variable SHADOWTIME_BUILD chooses the kind of build: `release` (the default, what is installed), `develop`
(with the compiled programs of the tests), `checked` (bounds, overflow and initialisation are checked) or
`cover` (every line is traced).
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KIND = os.environ.get("SHADOWTIME_BUILD", "release")
ROOMS = ("shadowtime/kernels", "shadowtime/scenarios", *(() if KIND == "release" else ("tests",)))
# What schedules spend their time in. The others compile in half the time with -O1.
HOT = {"core/clock", "core/machine", "core/queue", "core/running", "core/stepping", "core/world"}
HOT |= {"charts/*", "likely/*", "planning/*", "policies/*", "policies/gang/*", "slurm/*", "traces/rows"}
HOT |= {"policies/torus/passes", "policies/torus/t3d", "policies/torus/torus"}
WORDS = "nodeset"
"""Loops over the words of sets: as vectors (-O3) they take a twentieth off a cycle with 10,000 nodes."""
FLAGS = ["-g0", "-fno-wrapv", "-fstrict-overflow", "-ffp-contract=off"]
DIRECTIVES = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}
DIRECTIVES |= {"auto_pickle": False, "embedsignature": False, "binding": False}
# Whoever calls from Python may give None where an object of ours is expected: that is a TypeError.
DIRECTIVES |= {"allow_none_for_extension_args": False}
if KIND == "checked":
    DIRECTIVES |= {
        "boundscheck": True,
        "initializedcheck": True,
        "overflowcheck": True,
        "show_performance_hints": False,
    }
if KIND == "cover":
    DIRECTIVES |= {"linetrace": True}
    FLAGS += ["-DCYTHON_TRACE_NOGIL=1"]


def level(source: Path) -> str:
    """Return how much the C compiler optimises a module."""
    hot = source.stem != "plain" and any(source.with_suffix("").match(pattern) for pattern in HOT)
    release = "-O3" if source.stem == WORDS else "-O2" if hot else "-O1"
    return {"checked": "-O1", "cover": "-O0"}.get(KIND, release)


if __name__ == "__main__":
    sources = sorted(source for room in ROOMS for source in Path(room).rglob("*.pyx"))
    modules = [
        Extension(
            ".".join(source.with_suffix("").parts), [str(source)], extra_compile_args=[level(source), *FLAGS]
        )
        for source in sources
    ]
    jobs = os.cpu_count() or 1
    compiled = cythonize(modules, nthreads=jobs, language_level=3, compiler_directives=DIRECTIVES, quiet=True)
    setup(ext_modules=compiled, options={"build_ext": {"parallel": jobs}})
