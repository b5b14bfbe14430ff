"""A report's folder: whole or not at all, over reports only, files of the user untouched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsbench.errors import UserError
from fsbench.report.folder import MANIFEST, check, staged


def write(folder: Path, names: list[str], *, whole: bool = True, text: str = "new") -> None:
    with staged(folder, whole=whole) as stage:
        for name in names:
            (stage / name).parent.mkdir(parents=True, exist_ok=True)
            (stage / name).write_text(text)


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_a_new_folder_is_made_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "a" / "out", ["index.html", "tables/x.csv"])
    assert files(tmp_path) == ["a/out/index.html", f"a/out/{MANIFEST}", "a/out/tables/x.csv"]
    assert json.loads((tmp_path / "a/out" / MANIFEST).read_text())["files"] == ["index.html", "tables/x.csv"]


def test_a_later_report_removes_what_it_no_longer_has_but_no_file_of_the_user(tmp_path: Path) -> None:
    write(tmp_path, ["index.html", "tables/x.csv", "figures/y.svg"])
    (tmp_path / "figures" / "mine.txt").write_text("mine")
    write(tmp_path, ["index.html"], text="newer")
    assert files(tmp_path) == ["figures/mine.txt", "index.html", MANIFEST]
    assert not (tmp_path / "tables").exists()
    assert (tmp_path / "index.html").read_text() == "newer"


def test_a_part_leaves_the_rest(tmp_path: Path) -> None:
    write(tmp_path, ["index.html", "tables/x.csv"])
    write(tmp_path, ["tables/y.csv"], whole=False)
    write(tmp_path, ["index.html"])
    assert files(tmp_path) == ["index.html", MANIFEST]  # y.csv was the report's, not the user's


def test_what_fails_half_way_leaves_everything_as_it_was(tmp_path: Path) -> None:
    write(tmp_path / "out", ["index.html", "tables/x.csv"])
    with pytest.raises(ZeroDivisionError), staged(tmp_path / "out", whole=True) as stage:  # noqa: PT012
        (stage / "index.html").write_text("half")
        raise ZeroDivisionError
    assert files(tmp_path) == ["out/index.html", f"out/{MANIFEST}", "out/tables/x.csv"]
    assert (tmp_path / "out" / "index.html").read_text() == "new"


def test_other_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(
        UserError, match=r"holds 'thesis.tex' and is not the folder of a report; give an empty folder, a new one"
    ):
        write(tmp_path, ["index.html"])
    assert files(tmp_path) == ["thesis.tex"]
    check(tmp_path, ours=True)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(UserError, match="is a file; a report needs a folder"):
        write(tmp_path / "x", ["index.html"])


def test_an_empty_folder_will_do_and_so_will_one_that_the_system_wrote_to(tmp_path: Path) -> None:
    (tmp_path / ".DS_Store").write_text("")
    write(tmp_path, ["index.html"])
    assert "index.html" in files(tmp_path)


@pytest.mark.parametrize("name", ["../out.txt", "/etc/hostname"])
def test_a_changed_list_leads_nowhere(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "out.txt"
    outside.write_text("mine")
    folder = tmp_path / "report"
    write(folder, ["index.html"])
    (folder / MANIFEST).write_text(json.dumps({"report": "fsbench", "files": [name]}))
    write(folder, ["index.html"])
    assert outside.read_text() == "mine"
    assert files(folder) == ["index.html", MANIFEST]


def test_a_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write(tmp_path / "link", ["index.html"])
    assert (tmp_path / "link").is_symlink()
    assert files(tmp_path / "real") == ["index.html", MANIFEST]
