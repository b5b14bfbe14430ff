"""A figure as text and files: the same bytes each time, fit for any page, names that cannot break out of it."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fsbench.errors import UserError
from fsbench.report.figures import FORMATS, Figure, style
from fsbench.report.figures.rankers import MOST_LINES

ODD = (
    "A_1%&<b>",
    "$x^2$",
    "grösse ß",
    'quote" id="x" url(#y)',
    "<script>alert(1)</script>",
    "#1b1b1c",
    "a]]>b",
    "日本",
)


def drawing(names: tuple[str, ...] = ODD):
    made, axes = style.panels(2)
    handles = [axes[0].plot([1, 2, 3], [i, i + 1, i], **style.look(i).line())[0] for i, _ in enumerate(names)]
    axes[1].bar([1, 2], [3, 4], hatch="//", color=style.COLOURS[0], edgecolor=style.PAPER)
    axes[0].set_title(style.short(names[1]))
    style.x_title(made, names[0])
    style.legend(made, handles, names)
    return made


def figure(key: str = "sample") -> Figure:
    return Figure(key, "A <title> & more", 'On "folds" of <b>', drawing, ("A note & a half.",))


def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    first = figure().save(tmp_path / "1")
    second = figure().save(tmp_path / "2")
    assert [p.name for p in first] == ["sample.svg", "sample.pdf", "sample.png"]
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]
    assert figure().svg() == figure().svg()


def test_saving_first_does_not_change_the_page(tmp_path: Path) -> None:
    saved = figure()
    saved.save(tmp_path)
    assert saved.svg() == figure().svg()


def test_no_file_tells_a_date_or_a_version() -> None:
    import matplotlib as mpl

    for content in figure().files().values():
        assert mpl.__version__.encode() not in content
        assert b"CreationDate" not in content
        assert b"dc:date" not in content


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no format 'gif' for figures; there are svg, pdf, png"):
        figure().save(tmp_path, ["gif"])


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write the figure"):
        figure().save(tmp_path / "file", ["svg"])


@pytest.mark.parametrize("text", [figure().svg(), figure().files(["svg"])["svg"].decode()], ids=["page", "file"])
def test_names_stay_names(text: str) -> None:
    root = ET.fromstring(text)
    shown = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    for name in ODD:
        assert name in shown
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))
    assert not list(root.iter("{http://www.w3.org/2000/svg}style"))  # it would reach the whole page


def test_a_page_reads_it_aloud() -> None:
    root = ET.fromstring(figure().svg())
    assert root.get("role") == "img"
    by_id = {node.get("id"): node for node in root.iter() if node.get("id")}
    title, words = (by_id[key] for key in root.get("aria-labelledby", "").split())
    assert title.text == "A <title> & more"
    assert words.text == 'On "folds" of <b> A note & a half.'


def test_identifiers_are_its_own_and_all_found() -> None:
    texts = [figure("one").svg(), figure("two").svg(), figure("two").svg(prefix="b-")]
    owned = [re.findall(r'<[^>]* id="([^"]*)"', text) for text in texts]
    assert all(len(ids) == len(set(ids)) for ids in owned)
    assert not set(owned[0]) & set(owned[1])
    assert not set(owned[1]) & set(owned[2])
    for text, ids in zip(texts, owned, strict=True):
        tags = re.findall(r"<[^>]*>", text)
        used = {name for tag in tags for found in re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', tag) for name in found}
        used.discard("")
        assert used
        assert used <= set(ids)


def test_the_page_gives_ink_and_paper() -> None:
    text = figure().svg()
    assert text.startswith("<svg ")
    tags = "".join(re.findall(r"<[^>]*>", text))
    assert "currentColor" in tags
    assert "var(--figure-paper, #fff)" in tags
    assert not {style.INK, style.PAPER} & set(re.findall(r"#[0-9a-f]{6}", tags))
    alone = "".join(re.findall(r"<[^>]*>", figure().files(["svg"])["svg"].decode()))
    assert "currentColor" not in alone
    assert "var(" not in alone


def test_settings_of_the_reader_are_left_alone() -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    figure().svg()
    assert dict(mpl.rcParams) == before


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """WCAG 2: 3 to 1 is asked of graphics."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("paper", ["#ffffff", "#1b1b1b"])
@pytest.mark.parametrize("colour", style.COLOURS)
def test_colours_show_on_light_and_dark_pages(colour: str, paper: str) -> None:
    assert contrast(colour, paper) >= 3.0


def blind(colour: str, kind: str) -> list[float]:
    """What a reader without one kind of cones sees: Vienot, Brettel and Mollon (1999), linear light."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    if kind == "protan":
        yellow = 0.11238 * red + 0.88762 * green
        seen = [yellow, yellow, 0.00401 * red - 0.00401 * green + blue]
    else:
        yellow = 0.29275 * red + 0.70725 * green
        seen = [yellow, yellow, -0.02234 * red + 0.02234 * green + blue]
    return [max(0.0, c) ** (1 / 2.2) for c in seen]


@pytest.mark.parametrize("kind", ["protan", "deutan"])
def test_the_first_four_colours_differ_for_the_colour_blind(kind: str) -> None:
    for a, b in itertools.combinations(style.COLOURS[:4], 2):
        distance = sum((x - y) ** 2 for x, y in zip(blind(a, kind), blind(b, kind), strict=True)) ** 0.5
        assert distance > 0.12, (a, b)


def test_looks_differ_without_colour() -> None:
    looks = [style.look(i) for i in range(style.MOST_LOOKS)]
    assert len({(str(k.dash), k.marker) for k in looks}) == len(looks)
    assert len(looks) >= MOST_LINES
    assert len({style.look(i).hatch for i in range(7)}) == 7


def test_formats_are_the_three() -> None:
    assert set(FORMATS) == set(figure().files())


def test_a_name_in_letters_that_the_font_lacks() -> None:
    assert "日本" in Figure("k", "t", "c", lambda: drawing(ODD)).svg()


def test_controls_cannot_break_the_file() -> None:
    text = Figure("k", "a\x00b", "c\x1bd", lambda: drawing(("x\x00y", "a\nb"))).svg()
    ET.fromstring(text)


def test_many_names_make_the_legend_higher_not_the_panels_smaller() -> None:
    few, many = (drawing(tuple(f"a long name of a method {i}" for i in range(n))) for n in (2, 12))
    heights = [d.axes[0].get_position().height * d.get_figheight() for d in (few, many)]
    assert heights[0] == pytest.approx(heights[1])
    assert many.get_figheight() > few.get_figheight()


@pytest.mark.parametrize("count", range(1, 36))
@pytest.mark.parametrize("length", [3, 11, 40])
def test_legends_fit_the_page(count: int, length: int) -> None:
    columns = style._columns([0.66 + 0.07 * length] * count, style.WIDTH)
    assert columns == 1 or columns * (0.66 + 0.07 * length) <= style.WIDTH
    # No more rows than the page forces.
    most = max(1, int(style.WIDTH / (0.66 + 0.07 * length)))
    assert math.ceil(count / columns) == math.ceil(count / most)
