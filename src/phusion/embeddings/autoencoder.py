"""A stacked denoising autoencoder, in PyTorch."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from phusion.embeddings.base import EmbeddingFunction
from phusion.errors import MissingLibraryError
from phusion.graph.ids import Array
from phusion.parameter import Bounds, Count, Counts, Positive
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Autoencoder"]


class Autoencoder(EmbeddingFunction, name="autoencoder"):
    r"""A neural network that learns to repair damaged rows of σ(S); its narrowest layer is the embedding.

    .. math:: \min_{f, g} \sum_u \lVert x_u - g(f(\tilde x_u)) \rVert^2, \quad Y_u = f(x_u)

    Layers are trained one after another, each on the output of the one before: x is a row, x̃ the row with some entries
    set to 0, f an affine map and a leaky ramp, g an affine map. Rows are divided by the largest entry of the matrix.
    Needs PyTorch (``pip install 'phusion-embed[torch]'``); runs on the CPU, in a way that the seed decides.

    Parameters
    ----------
    dim : width of the narrowest layer.
    hidden : widths of the layers before it; none for a single layer.
    corruption : share of the entries set to 0 for training.
    epochs : passes over all nodes, per layer.
    batch : nodes per step.
    rate : step size of Adam.

    References
    ----------
    Cao et al., *Deep Neural Networks for Learning Graph Representations* (DNGR), AAAI 2016.

    Examples
    --------
    >>> import phusion
    >>> phusion.embeddings.Autoencoder(dim=64).dim
    64
    """

    dim: Count = 128
    hidden: Annotated[Counts, Bounds(empty=True)] = (256,)
    corruption: Annotated[float, Bounds(ge=0, lt=1)] = 0.2
    epochs: Count = 100
    batch: Count = 128
    rate: Positive = 0.001

    structural = False
    random = True
    libraries = ("torch",)

    def embed(self, matrix: ProximityMatrix, shared: Any = None, seed: int | None = None) -> Array:
        """Y, of `dim` columns."""
        try:
            import torch
        except ImportError as error:
            raise MissingLibraryError("Autoencoder", "torch", "torch") from error
        self.check_size(matrix.n)
        values = matrix.toarray()
        rows = torch.tensor(values / (np.abs(values).max(initial=0.0) or 1.0), dtype=torch.float32)
        generator = torch.Generator().manual_seed(0 if seed is None else seed)
        for width in (*self.hidden, self.dim):
            rows = self._layer(torch, rows, width, generator)
        return np.asarray(rows.numpy(), dtype=np.float64)

    def width(self, n: int) -> int:
        """That of the narrowest layer."""
        return self.dim

    def _layer(self, torch: Any, rows: Any, width: int, generator: Any) -> Any:
        """Train one layer to repair its input, and give its output for the undamaged rows."""
        n, n_inputs = rows.shape

        def weights(*shape: int) -> Any:
            spread = (6.0 / sum(shape)) ** 0.5
            start = (2.0 * torch.rand(shape, generator=generator) - 1.0) * spread
            return start.requires_grad_()

        down, up = weights(n_inputs, width), weights(width, n_inputs)
        down_bias, up_bias = torch.zeros(width, requires_grad=True), torch.zeros(n_inputs, requires_grad=True)

        def encode(inputs: Any) -> Any:
            return torch.nn.functional.leaky_relu(inputs @ down + down_bias, 0.1)

        steps = torch.optim.Adam([down, up, down_bias, up_bias], lr=self.rate)
        for _ in range(self.epochs):
            for chosen in torch.randperm(n, generator=generator).split(self.batch):
                whole = rows[chosen]
                kept = torch.rand(whole.shape, generator=generator) >= self.corruption
                loss = ((encode(whole * kept) @ up + up_bias - whole) ** 2).sum(dim=1).mean()
                steps.zero_grad()
                loss.backward()
                steps.step()
        with torch.no_grad():
            return encode(rows)
