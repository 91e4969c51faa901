"""Tables made from the code, so that they cannot disagree with it."""

from docutils import nodes
from docutils.parsers.rst import Directive

from phusion.cli.formats import format_facts
from phusion.datasets import find, names
from phusion.graph.accept import all_sources


def _formats():
    head = ("format", "suffixes", "written", "node ids", "cannot hold")
    rows = [
        (
            r["title"],
            " ".join(r["suffixes"]),
            "yes" if r["written"] else "no",
            r["ids"],
            ", ".join(r["cannot_hold"]),
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


TABLES = {"formats": _formats, "sources": _sources, "datasets": _datasets}


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


def setup(app):
    app.add_directive("generated-table", GeneratedTable)
    return {"parallel_read_safe": True}
