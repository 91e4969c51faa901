"""AnnData's .h5ad, for scanpy and its kin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import MissingLibraryError
from phusion.graph.limits import Allowance
from phusion.results.base import ResultFormat, described, restored
from phusion.results.embedding import Embedding
from phusion.results.heaps import announced_text, check_heaps
from phusion.results.ids import as_ids, plain_ids


class H5ad(ResultFormat):
    """Values as ``X`` and ``obsm["X_phusion"]``, ids as ``obs``, features as ``var``, the rest in ``uns["phusion"]``.

    Written with h5py after AnnData's published layout (encoding version 0.1.0), so that anndata need not be installed.
    """

    name = "h5ad"
    title = "AnnData .h5ad"
    suffixes = (".h5ad",)
    keeps = frozenset({"ids", "features", "spec"})
    needs = "h5py"

    def check_library(self) -> None:
        """Only h5py writes it."""
        _h5py()

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """The layout's groups and attributes."""
        try:
            self._write(embedding, path)
        except RuntimeError as error:  # so h5py tells that the disk is full when it closes the file
            raise OSError(str(error)) from error

    def _write(self, embedding: Embedding, path: Path) -> None:
        ids = plain_ids(embedding.nodes)
        with _h5py().File(path, "w") as file:
            _encoded(file, "anndata")
            _array(file, "X", embedding.values)
            obs = _frame(file, "obs", [str(node) for node in ids], ["node"])
            if ids and isinstance(ids[0], int):
                _array(obs, "node", np.array(ids))
            else:
                _texts(obs, "node", ids)
            _frame(file, "var", list(embedding.features), [])
            for name in ("obsp", "varm", "varp", "layers"):
                _encoded(file.create_group(name), "dict")
            obsm = _encoded(file.create_group("obsm"), "dict")
            _array(obsm, "X_phusion", embedding.values)
            uns = _encoded(file.create_group("uns"), "dict")
            text = uns.create_dataset("phusion", data=described(embedding), dtype=_h5py().string_dtype())
            _encoded(text, "string", "0.2.0")

    def read(self, path: Path) -> Embedding:
        """What `write` wrote."""
        check_heaps(path)
        with _h5py().File(path, "r") as file:
            allowance = Allowance(path.stat().st_size, path)  # what was never written takes no room in the file
            for name in ("obs/node", "var/_index", "obsm/X_phusion"):
                allowance.spend(file[name].size * file[name].dtype.itemsize)
            for name in ("obs/node", "var/_index", "uns/phusion"):
                allowance.spend(announced_text(file[name], path))
            nodes = file["obs/node"][()]
            ids = nodes.tolist() if nodes.dtype.kind in "iu" else [item.decode() for item in nodes]
            features = [item.decode() for item in file["var/_index"][()]]
            text = file["uns/phusion"][()].decode()
            return restored(file["obsm/X_phusion"][()], as_ids(ids), features, text, path)


def _h5py() -> Any:
    try:
        import h5py
    except ImportError as error:
        raise MissingLibraryError("a .h5ad file", "h5py", "h5ad") from error
    return h5py


def _encoded(thing: Any, kind: str, version: str = "0.1.0") -> Any:
    thing.attrs["encoding-type"], thing.attrs["encoding-version"] = kind, version
    return thing


def _array(group: Any, name: str, values: Any) -> None:
    _encoded(group.create_dataset(name, data=values), "array", "0.2.0")


def _texts(group: Any, name: str, values: list[str]) -> None:
    data = np.array(values, dtype=object)
    _encoded(group.create_dataset(name, data=data, dtype=_h5py().string_dtype()), "string-array", "0.2.0")


def _frame(file: Any, name: str, index: list[str], columns: list[str]) -> Any:
    group = _encoded(file.create_group(name), "dataframe", "0.2.0")
    group.attrs["_index"] = "_index"
    group.attrs.create("column-order", columns, dtype=_h5py().string_dtype())
    _texts(group, "_index", index)
    return group


FORMAT = H5ad()
