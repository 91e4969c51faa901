"""Tables made from the code, so that they cannot disagree with it."""

import re
from dataclasses import fields

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

from phusion import presets
from phusion.cli.formats import format_facts
from phusion.cli.presets import preset_facts
from phusion.component import FAMILIES, known
from phusion.datasets import find, names
from phusion.graph.accept import all_sources
from phusion.proximities.base import Kinds
from phusion.results.files import all_result_formats


def _formats():
    head = ("format", "suffixes", "written", "node ids", "cannot hold", "needs")
    rows = [
        (
            r["title"],
            " ".join(r["suffixes"]),
            "yes" if r["written"] else "no",
            r["ids"],
            ", ".join(r["cannot_hold"]),
            r["needs"],
        )
        for r in format_facts()
    ]
    return head, rows


def _sources():
    return ("object",), [(module.TITLE,) for module in all_sources()]


def _datasets():
    head = ("name", "what", "graphs", "nodes", "edges", "self-loops", "classes", "licence", "from")
    rows = []
    for name in names():
        d = find(name)
        counts = [
            f"{d.counts.get(key, 1 if key == 'graphs' else 0):,}"
            for key in ("graphs", "nodes", "edges", "self_loops", "classes")
        ]
        rows.append((name, d.title, *counts, d.licence, d.origin))
    return head, rows


def _kinds():
    kinds = [field.name for field in fields(Kinds)]
    rows = []
    for name, made in known("proximities").items():
        refused = made.kinds.refused()
        cells = [("refused: " if kind in refused else "") + getattr(made.kinds, kind) for kind in kinds]
        rows.append((name, *cells))
    heads = {"self_loops": "self-loops", "isolated": "isolated (no loop either)"}
    return ("proximity", *(heads.get(kind, kind) for kind in kinds)), rows


def _presets():
    head = ("preset", "system", "embeds", "Ψ", "σ", "ζ", "π", "ρ", "what")
    rows = []
    for name in presets.names():
        one = presets.find(name)
        parts = (one.spec.proximity, one.spec.nonlinearity, one.spec.embedding, one.spec.propagate, one.spec.pooling)
        rows.append((name, one.title, one.kind, *("" if p is None else p.name for p in parts), one.summary))
    return head, rows


def _results():
    head = ("format", "suffixes", "ids", "feature names", "spec and provenance", "needs")
    kept = ("ids", "features", "spec")
    rows = [
        (f.title, " ".join(f.suffixes), *("kept" if what in f.keeps else "" for what in kept), f.needs)
        for f in all_result_formats().values()
    ]
    return head, rows


TABLES = {
    "formats": _formats,
    "sources": _sources,
    "datasets": _datasets,
    "kinds": _kinds,
    "presets": _presets,
    "results": _results,
}


class GeneratedTable(Directive):
    required_arguments = 1

    def run(self):
        head, rows = TABLES[self.arguments[0]]()
        table = nodes.table()
        group = nodes.tgroup(cols=len(head))
        table += group
        group += [nodes.colspec(colwidth=1) for _ in head]
        for kind, lines in ((nodes.thead, [head]), (nodes.tbody, rows)):
            part = kind()
            group += part
            for line in lines:
                row = nodes.row()
                part += row
                for text in line:
                    entry = nodes.entry()
                    entry += nodes.paragraph(text=text)
                    row += entry
        return [table]


class Written(Directive):
    """Sections written as reStructuredText, from the code."""

    required_arguments = 1

    def run(self):
        lines = StringList(list(self.lines(self.arguments[0])), source="generated")
        place = nodes.section()
        place.document = self.state.document
        self.state.nested_parse(lines, self.content_offset, place, match_titles=True)
        return place.children


class ComponentCatalogue(Written):
    """Every component of a family: formula, parameters, source, example."""

    def lines(self, family):
        for name, made in known(family).items():
            if not made.__module__.startswith("phusion."):  # one of the gallery's own, or of a plug-in
                continue
            title = f"{name} ({FAMILIES[family][0]})"
            yield from (title, "~" * len(title), "")
            yield from (f".. autoclass:: {made.__module__}.{made.__name__}", "")


class PresetCatalogue(Written):
    """Every preset: citation, deviations, spec, command."""

    def lines(self, which):
        for name in presets.names():
            facts = preset_facts(presets.find(name))
            title = f"preset {name}"
            yield from (title, "~" * len(title), "", facts["summary"], "", f"{facts['citation']} {facts['url']}", "")
            yield from (f"Note. {facts['paper_note']}", "", ".. code-block:: sh", "", f"   {facts['example']}", "")
            toml = re.sub(r"\[\n(    .*\n){9,}\]", _many, presets.find(name).spec.to_toml())
            language = "text" if "…" in toml else "toml"
            yield from (f".. code-block:: {language}", "", *(f"   {line}" for line in toml.splitlines()), "")


def _many(found):
    """NetLSD's 250 times are in its file, not on the page."""
    values = found[0].split()[1:-1]
    return f"[{values[0]} {values[1]} …, {values[-1].rstrip(',')}]  # {len(values)} values"


def setup(app):
    app.add_directive("component-catalogue", ComponentCatalogue)
    app.add_directive("preset-catalogue", PresetCatalogue)
    app.add_directive("generated-table", GeneratedTable)
    return {"parallel_read_safe": True}
