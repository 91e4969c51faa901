"""`make pictures`: every picture of the documentation, from graphs that phusion knows by name. Needs chromium."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import matplotlib
from PIL import Image

import phusion
from phusion import plots

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browser import PROGRAM, Browser

OUT = Path(__file__).parent / "pictures"
LARGEST = 250_000  # bytes of one file
PAGE = "<!doctype html><meta charset=utf-8><body style='font:14px/1.4 sans-serif;margin:14px;width:660px'>"


def drawn(name: str, figure: object) -> None:
    plots.save(figure, OUT / name, overwrite=True)


def quick_look() -> None:
    matplotlib.use("Agg")
    karate = phusion.datasets.load("karate")
    axes = phusion.embed(karate, "graphwave").plot(karate.labels, annotate=[1, 33, 34])
    axes.figure.savefig(OUT / "quick-look.png", dpi=110, metadata={"Software": None})


def cards(browser: Browser, folder: Path) -> None:
    """What a notebook shows."""
    karate = phusion.datasets.load("karate")
    model = phusion.preset("netmf", dim=16)
    things = (karate, model.plan(karate), model.fit(karate), model.result_)
    (folder / "cards.html").write_text(PAGE + "<br>".join(thing._repr_html_() for thing in things), encoding="utf-8")
    browser.open(folder / "cards.html", width=700)
    taken(browser, "notebook.png")


def explorer(browser: Browser, folder: Path) -> None:
    """Pages of two graphs, with a node chosen: the airport with most connections, and the president of the club."""
    usa = phusion.datasets.load("usa")
    hub = usa.nodes[usa.degrees.argmax()]
    for graph, node, name in ((usa, hub, "explorer.png"), ("karate", 34, "explorer-karate.png")):
        page = phusion.explore(graph, folder / f"{name}.html")
        browser.open(page, width=1280, height=660, place=f"#node={node}")
        time.sleep(1.0)  # until points are drawn
        taken(browser, name)


def advice(browser: Browser, folder: Path) -> None:
    """What a notebook shows of advice."""
    (folder / "advice.html").write_text(PAGE + phusion.advise("brazil")._repr_html_(), encoding="utf-8")
    browser.open(folder / "advice.html", width=700)
    taken(browser, "advise.png")


def swept(browser: Browser, folder: Path) -> None:
    """The upper part of a sweep's page."""
    phusion.sweep("brazil", seeds=[0]).save(folder / "best")
    browser.open(folder / "best" / "sweep.html", width=1000, height=900)
    taken(browser, "sweep.png", height=900)


def taken(browser: Browser, name: str, height: int | None = None) -> None:
    """A picture of the page or its top, in as few colours as do."""
    browser.picture(OUT / name, height=height)
    Image.open(OUT / name).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(OUT / name, optimize=True)


def main() -> None:
    OUT.mkdir(exist_ok=True)
    if PROGRAM is None:
        sys.exit("some pictures are of a browser: install chromium")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = Browser(folder / "browser")
        try:
            explorer(browser, folder)
            cards(browser, folder)
            advice(browser, folder)
            swept(browser, folder)
        finally:
            browser.close()
    quick_look()
    drawn("roles.svg", plots.roles())
    drawn("map.png", plots.map("usa"))
    drawn("bars.svg", plots.bars("usa"))
    drawn("rows.svg", plots.rows("usa"))
    for path in sorted(OUT.iterdir()):
        size = path.stat().st_size
        print(f"{path.name}: {size / 1e3:.0f} kB")
        if size > LARGEST:
            sys.exit(f"{path.name} is larger than {LARGEST / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
