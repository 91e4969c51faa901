"""How Y = ζ(σ(Ψ(A))) is computed: what memory, threads and machines there are, and a plan for them."""
