"""Imports point one way: screens and commands -> session -> {scenarios, kernels}."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import pytest

import shadowtime
from shadowtime import scenarios
from shadowtime.console import session, words
from shadowtime.console.session import PUBLIC, shift, training
from shadowtime.kernels.policies import POLICIES

ROOT = Path(__file__).parent.parent
ROOMS = ("console", "kernels", "scenarios")
# What a module may import of ours: the rule with the longest prefix of its name holds.
HOME = "shadowtime"
LAZILY = "shadowtime.lazily"
"""How packages import their names, whatever they are packages of."""
LEAVES = (
    "shadowtime.console.session",
    "shadowtime.console.words",
    "shadowtime.console.keys",
    "shadowtime.console.clock",
)
ALLOWED = {
    "shadowtime.scenarios": ("shadowtime.scenarios",),
    "shadowtime.kernels": ("shadowtime.kernels",),
    "shadowtime.kernels.slurm.over_time": ("shadowtime.kernels", "shadowtime.scenarios.slurm"),
    "shadowtime.console.session": (
        "shadowtime.console.session",
        "shadowtime.scenarios",
        "shadowtime.kernels",
    ),
    "shadowtime.console.widgets": ("shadowtime.console.widgets", *LEAVES),
    "shadowtime.console.words": LEAVES,
    "shadowtime.console.keys": LEAVES,
    "shadowtime.console.clock": LEAVES,
    "shadowtime.console.screens": ("shadowtime.console.screens", "shadowtime.console.widgets", *LEAVES),
    "shadowtime.console.commands": ("shadowtime.console",),
    "shadowtime.console": ("shadowtime.console",),
    # The public face shows the session, and the command is the console.
    "shadowtime": ("shadowtime",),
}
CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import\s+(.+)|c?import\s+(.+))$", re.MULTILINE)


def module_name(path: Path) -> str:
    """Return the dotted name of a source file of the project."""
    parts = (
        HOME,
        *path.relative_to(ROOT / HOME if path.is_relative_to(ROOT / HOME) else ROOT).with_suffix("").parts,
    )
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(text: str, suffix: str, package: str) -> Iterator[str]:
    """Yield the dotted names that a source imports or cimports; `from a import b` yields `a.b`."""
    if suffix in (".pyx", ".pxd"):
        yield from cython_imports(text, package)
        return
    for node in statements(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node.module or "", node.level, package)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements in a statement or a module, whatever they are nested in; no expression."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, field, ()):
            yield inner
            yield from statements(inner)


def cython_imports(text: str, package: str) -> Iterator[str]:
    """Yield what a Cython source imports or cimports."""
    joined = re.sub(r"\\\n|\(\s*\n|,\s*\n", lambda found: found[0].replace("\n", " "), text)
    for base, names, modules in CYTHON_IMPORT.findall(joined):
        listed = re.sub(r"[()]|#.*", "", names or modules).split(",")
        first_words = [name.split()[0] for name in listed if name.strip()]
        if base:
            level = len(base) - len(base.lstrip("."))
            first_words = [f"{absolute(base.lstrip('.'), level, package)}.{name}" for name in first_words]
        yield from first_words


def absolute(module: str, level: int, package: str) -> str:
    """Return the full name of a module that is imported with `level` leading dots inside a package."""
    if level == 0:
        return module
    above = package.split(".")[: len(package.split(".")) - level + 1]
    return ".".join([*above, *([module] if module else [])])


def within(name: str, prefix: str) -> bool:
    """Whether a dotted name is that prefix or something below it."""
    return name == prefix or name.startswith(prefix + ".")


def backward(module: str, imported: str) -> bool:
    """Whether this import points the wrong way."""
    if imported.split(".")[0] in ROOMS:
        return True
    if not within(imported, HOME):
        return False
    if within(imported, LAZILY):
        return False
    rule = max((prefix for prefix in ALLOWED if within(module, prefix)), key=len)
    return not any(within(imported, allowed) for allowed in ALLOWED[rule])


def sources() -> list[Path]:
    """Return every source file of the three rooms and of the package around them."""
    found = (path for room in (*ROOMS, HOME) for path in (ROOT / room).rglob("*"))
    return sorted(path for path in found if path.suffix in (".py", ".pyi", ".pyx", ".pxd"))


def test_no_import_points_backward() -> None:
    """No module of the three rooms imports what stands above it."""
    wrong = []
    for path in sources():
        module = module_name(path)
        package = module if path.stem == "__init__" else module.rpartition(".")[0]
        for imported in imports_of(path.read_text(encoding="utf-8"), path.suffix, package):
            if backward(module, imported):
                wrong.append(f"{path.relative_to(ROOT)} imports {imported}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", [shadowtime, scenarios, session, shift, training, words])
def test_every_name_of_a_package_is_there(package: ModuleType) -> None:
    """All that is listed, and nothing else; no module of the package has the name of something else in it."""
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018
    assert not {module.name for module in iter_modules(package.__path__)} & set(package.__all__)


def test_the_core_imports_no_heavy_library() -> None:
    """The kernels stand on Cython, attrs and the standard library alone: no numpy in the core."""
    allowed = {"cython", "libc", "cpython", "attrs", "typing_extensions", *sys.stdlib_module_names}
    wrong = []
    for path in (path for path in sources() if path.is_relative_to(ROOT / "kernels")):
        package = module_name(path).rpartition(".")[0]
        for imported in imports_of(path.read_text(encoding="utf-8"), path.suffix, package):
            if imported.split(".")[0] not in allowed and not within(imported, HOME):
                wrong.append(f"{path.relative_to(ROOT)} imports {imported}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("module", "suffix", "text"),
    [
        ("shadowtime.kernels.core.clock", ".py", "import shadowtime.console.session"),
        (
            "shadowtime.kernels.core.clock",
            ".pyx",
            "from shadowtime.scenarios.traces.rows cimport Row as R, Other",
        ),
        ("shadowtime.kernels.core.clock", ".pxd", "cimport shadowtime.console"),
        (
            "shadowtime.kernels.policies.easy",
            ".pyx",
            "from shadowtime.kernels.core.jobs cimport (\n    Jobs,\n)\nimport shadowtime.console\n",
        ),
        ("shadowtime.scenarios.traces.swf", ".py", "def f():\n    from shadowtime.kernels import jobs\n"),
        (
            "shadowtime.console.session.case",
            ".py",
            "from shadowtime.console.widgets.queue.panel import Queue",
        ),
        (
            "shadowtime.console.widgets.queue.panel",
            ".py",
            "from shadowtime.kernels.core.simulation import Simulation",
        ),
        ("shadowtime.console.widgets.queue.panel", ".py", "from ...screens import console"),
        ("shadowtime.console.screens.console.desk", ".py", "from shadowtime.console.commands import run"),
        ("shadowtime.console.commands.run", ".py", "import shadowtime.scenarios"),
        ("shadowtime.console.commands.run", ".py", "import console.session"),
        ("shadowtime.console.main", ".py", "from shadowtime.scenarios import ScenarioError"),
    ],
)
def test_a_backward_import_is_seen(module: str, suffix: str, text: str) -> None:
    """Each of these would break the direction, in Python and in Cython, relative or inside a function."""
    assert any(backward(module, name) for name in imports_of(text, suffix, module.rpartition(".")[0]))


@pytest.mark.parametrize(
    ("module", "suffix", "text"),
    [
        (
            "shadowtime.kernels.core.clock",
            ".pyx",
            "from shadowtime.kernels.core.types cimport index\nfrom libc.stdint cimport int64_t\n",
        ),
        ("shadowtime.kernels.policies.easy", ".pyx", "from .base cimport Base\nfrom ..jobs cimport Jobs\n"),
        (
            "shadowtime.console.session.case",
            ".py",
            "from shadowtime.kernels.core.jobs import Jobs\nfrom shadowtime.scenarios import Scenario\n",
        ),
        (
            "shadowtime.console.commands.run",
            ".py",
            "from shadowtime.console.session import load\nimport click\n",
        ),
    ],
)
def test_a_forward_import_is_let_through(module: str, suffix: str, text: str) -> None:
    """What the architecture draws is allowed."""
    assert not any(backward(module, name) for name in imports_of(text, suffix, module.rpartition(".")[0]))


def modules() -> dict[str, list[Path]]:
    """Return the sources of every module by its name: a compiled module imports what its declarations name.

    Declarations without a module are text for the compiler, which nothing imports.
    """
    found: dict[str, list[Path]] = {}
    for path in sources():
        if path.suffix in (".py", ".pyx"):
            declared = path.with_suffix(".pxd")
            found[module_name(path)] = [path, *([declared] if declared.exists() else [])]
    return found


def import_graph() -> dict[str, set[str]]:
    """Return what each module imports of the others, also inside functions and for types alone."""
    named = modules()
    graph = {}
    for module, paths in named.items():
        package = module if paths[0].stem == "__init__" else module.rpartition(".")[0]
        found = {
            next((name for name in (imported, imported.rpartition(".")[0]) if name in named), module)
            for path in paths
            for imported in imports_of(path.read_text(encoding="utf-8"), path.suffix, package)
        }
        graph[module] = found - {module}
    return graph


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Return one circle of modules that import each other, in order; empty if no modules do."""
    done: set[str] = set()

    def search(module: str, trail: list[str]) -> list[str]:
        if module in trail:
            return trail[trail.index(module) :]
        if module in done:
            return []
        found = next(filter(None, (search(other, [*trail, module]) for other in sorted(graph[module]))), [])
        done.add(module)
        return found

    return next(filter(None, (search(module, []) for module in graph)), [])


def test_no_module_imports_itself_by_way_of_others() -> None:
    """There is no circle of imports in the three rooms, in Python or Cython."""
    found = circle(import_graph())
    assert not found, " -> ".join([*found, *found[:1]])


def test_a_circle_is_seen() -> None:
    """A circle of three modules is found behind a module that is not in it; a tree has none."""
    assert circle({"a": {"b", "d"}, "b": {"c"}, "c": {"d"}, "d": {"b"}}) == ["b", "c", "d"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def users_of_the_session() -> dict[str, str]:
    """Return the source of every module of the console that is not in the session package, by its name."""
    paths = (path for path in sources() if path.suffix == ".py" and path.is_relative_to(ROOT / "console"))
    named = {module_name(path): path for path in paths}
    return {
        name: path.read_text(encoding="utf-8")
        for name, path in named.items()
        if not within(name, "shadowtime.console.session")
    }


def hidden(imported: str) -> bool:
    """Whether a name of the session package is not public."""
    rest = imported.removeprefix("shadowtime.console.session.")
    if rest == imported:
        return False
    if any(part.startswith("_") for part in rest.split(".")):
        return True
    return rest not in session.__all__ and not any(within(rest, public) for public in PUBLIC)


def private_names(text: str) -> set[str]:
    """Return the names with a leading underscore that a module gives to what it defines."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.attr if isinstance(node, ast.Attribute) else node.id)
    return {name for name in found if name.startswith("_") and not name.endswith("__")}


def reaching(text: str, private: set[str]) -> list[str]:
    """Return where a module reads one of these private names from an object other than its own."""
    own = private_names(text)
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr in private - own:
            holder = ast.unparse(node.value)
            if holder not in ("self", "cls", "super()"):
                found.append(f"{holder}.{node.attr}")
    return found


@pytest.mark.proof
def test_the_console_imports_only_what_the_session_makes_public() -> None:
    """Outside the session package only the package itself and the submodules in `PUBLIC` are imported."""
    wrong = []
    for module, text in users_of_the_session().items():
        package = module.rpartition(".")[0]
        wrong += [f"{module} imports {name}" for name in imports_of(text, ".py", package) if hidden(name)]
    assert not wrong, "\n".join(wrong)


def test_the_console_reads_no_private_name_of_the_session() -> None:
    """Outside the session package no attribute is read that the package names with a leading underscore."""
    session = (path for path in sources() if path.is_relative_to(ROOT / "console" / "session"))
    private = set[str]().union(*(private_names(path.read_text(encoding="utf-8")) for path in session))
    users = users_of_the_session().items()
    wrong = [f"{module} reads {place}" for module, text in users for place in reaching(text, private)]
    assert not wrong, "\n".join(wrong)


def test_a_reach_into_the_session_is_seen() -> None:
    """What is public passes; a submodule out of the list, a private name and a private attribute do not."""
    assert not any(
        map(
            hidden,
            (
                "shadowtime.console.session.load",
                "shadowtime.console.session.lab.work",
                "shadowtime.console.keys",
            ),
        )
    )
    assert hidden("shadowtime.console.session.travel.copies.Tape")
    assert hidden("shadowtime.console.session.facts._Row")
    assert reaching("self._session._scout.at(1)", {"_scout"}) == ["self._session._scout"]
    assert reaching("self._scout = other._scout", {"_scout"}) == []


@pytest.mark.proof
def test_the_session_names_no_policy() -> None:
    """What a policy does stands in the table of policies; only experiments and manual scheduling name one."""
    session = ROOT / "console" / "session"
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for path in sources()
        if path.is_relative_to(session) and not path.is_relative_to(session / "lab")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in set(POLICIES) - {"manual"}
    ]
    assert not named, "\n".join(named)
