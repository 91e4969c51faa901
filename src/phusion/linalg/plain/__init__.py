"""What `linalg.kernels` computes, by NumPy and SciPy alone: for installations without numba.

A public function of a module there has its twin in the module of the same name here, with the same arguments, the same
effects and, up to rounding, the same numbers; `kernels.compiled` puts it in its place.
"""
