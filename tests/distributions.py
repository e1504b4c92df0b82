"""What a wheel and a source distribution hold at the top: the package, and what describes it.

`python -m tests.distributions FOLDER` ends with 1 where one holds anything else: a folder of code there would
be imported under a name that is another package's.
"""

import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

PACKAGE = "shadowtime"


def strangers(names: list[str]) -> list[str]:
    """Return the folders at the top that are neither the package nor what describes it."""
    tops = {PurePosixPath(name).parts[0] for name in names if len(PurePosixPath(name).parts) > 1}
    return sorted(top for top in tops - {PACKAGE} if not top.endswith((".dist-info", ".egg-info")))


def inside(path: Path) -> list[str]:
    """Return the names in a distribution; those in a source distribution without its own folder."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return wheel.namelist()
    with tarfile.open(path) as source:
        names = (PurePosixPath(member.name) for member in source if member.isfile())
        return [str(PurePosixPath(*name.parts[1:])) for name in names]


def main(folder: Path) -> int:
    """Print what is wrong; return the exit code."""
    found = sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])
    wrong = [f"{path.name} holds {name} at the top" for path in found for name in strangers(inside(path))]
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return int(bool(wrong) or not found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
