"""
From a CSV with names to a page to explore
==========================================

The great families of Florence around 1430, and who married whom, as John Padgett collected it from the archives. A
file as yours may be: names with spaces, a header, one line for each tie. The Pucci married nobody here; a list of
edges cannot say so, so a second file lists all families with their wealth. And nobody can tell that ``family,other``
is a header and not a marriage: phusion says that it took it for one, unless it is told.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import phusion

folder = TemporaryDirectory()  # yours would be a folder that stays
here = Path(folder.name)

marriages = """family,other
Acciaiuoli,Medici
Castellani,Peruzzi
Castellani,Strozzi
Castellani,Barbadori
Medici,Barbadori
Medici,Ridolfi
Medici,Tornabuoni
Medici,Albizzi
Medici,Salviati
Salviati,Pazzi
Peruzzi,Strozzi
Peruzzi,Bischeri
Strozzi,Ridolfi
Strozzi,Bischeri
Ridolfi,Tornabuoni
Tornabuoni,Guadagni
Albizzi,Ginori
Albizzi,Guadagni
Bischeri,Guadagni
Guadagni,Lamberteschi
"""
(here / "florence.csv").write_text(marriages)
(here / "families.csv").write_text(
    "family,wealth\nAcciaiuoli,10\nAlbizzi,36\nBarbadori,55\nBischeri,44\nCastellani,20\nGinori,32\nGuadagni,8\n"
    "Lamberteschi,42\nMedici,103\nPazzi,48\nPeruzzi,49\nPucci,3\nRidolfi,27\nSalviati,10\nStrozzi,146\nTornabuoni,48\n"
)

graph = phusion.as_graph(here / "florence.csv", source="family", target="other", nodes=here / "families.csv")
print(graph)
alike = phusion.embed(graph, "graphwave", scale=[1, 5])
print("like the Medici:", [family for family, _ in alike.nearest("Medici", 3)])
alike.save(here / "florence.npz")

# %%
# The file holds names, numbers and the method that made them. The page is a single file, to be opened in any browser.
# The same on the command line:
# ``phusion explore florence.csv --source family --target other --nodes families.csv -o florence.html``.

print(phusion.Embedding.load(here / "florence.npz"))
phusion.explore(graph, here / "florence.html")
print(sorted(path.name for path in here.iterdir()))
folder.cleanup()

figure = alike.plot(graph.attributes["wealth"], annotate=["Medici", "Strozzi", "Guadagni", "Pucci"]).figure
