"""`:report` in the console: the page of the run as it stands, with its window."""

from pathlib import Path

from tests.console.operator import Operator, operate


def test_a_report_is_written_from_the_console(tmp_path: Path) -> None:
    """It is written once, over a file only with `report!`; a wrong window is one line."""

    async def story(operator: Operator) -> None:
        async def command(line: str) -> str:
            await operator.press("colon")
            await operator.type(line)
            await operator.until(lambda: not operator.console.exports.writing.busy)
            await operator.rest()
            return operator.message

        path = tmp_path / "out.html"
        assert await command(f"report {path} from 0 until +3h") == f"wrote {path}"
        whole = path.read_bytes()
        assert whole.startswith(b"<!DOCTYPE html>") and b"0d 03:00:00" in whole
        await command(f"report {path}")
        assert path.read_bytes() == whole
        assert await command(f"report! {path}") == f"wrote {path}"
        assert path.read_bytes() != whole
        await command(f"report {tmp_path / 'other.html'} from yesterday")
        assert not (tmp_path / "other.html").exists()

    operate(story, at="#6")
