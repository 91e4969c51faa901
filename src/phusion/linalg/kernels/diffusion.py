"""Columns of sums over walks, as far as their entries matter, and the characteristic functions of these.

A column is followed walk length by walk length. A node hands its value on only where the entries that this creates
matter (push); whoever has done so once takes its next value from its whole row (pull), so that what returns to heavy
nodes is not lost. What is left out is known by its sum, and by its size from a few random signs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.kernels.compiled import compiled

__all__ = ["characteristic_sums", "created_entries"]

_NOW, _NEXT, _SUM, _RETURNED = 0, 1, 2, 3  # columns of a node's state: two lengths in turn, and two sums
_TOUCHED = np.float32(1e-30)  # what marks a node as met, and adds nothing
_NOTHING = 1e15  # of a threshold: not even the first step is taken
_CALM = 0.03  # of the threshold: nothing that is left can matter


@compiled()
def created_entries(indptr: Any, indices: Any, data: Any, left: Any, created: Any, returned: Any) -> None:
    """For each node, the size of the entries it creates when it hands a 1 on, on average, and (M²)_vv."""
    for v in range(len(indptr) - 1):
        total, square = 0.0, 0.0
        for place in range(indptr[v], indptr[v + 1]):
            value = data[place]
            total += value * left[indices[place]]
            square += value * value
        created[v] = total / max(1, indptr[v + 1] - indptr[v])
        returned[v] = square


@compiled(reorder=True)
def _spread(
    indptr: Any,
    indices: Any,
    data: Any,
    created: Any,
    returned: Any,
    weights: Any,
    rest: Any,
    u: int,
    least: float,
    state: Any,
    lists: Any,
    pulled: Any,
    expanded: Any,
) -> tuple[int, int]:
    """Column u of Σ_j w_j Mʲ, in the third column of `state`, of the nodes in the third list; how many, and the work.

    `least` is the size of entries that are worth creating, `rest` the weight of all walks at least as long. A node
    that is not worth handing on gets back what would return to it after two and four steps, but for what returns
    through those that are. `state`, `pulled` and `expanded` are all 0 before, and the last two after.
    """
    now, after = _NOW, _NEXT
    here, there, met, old = 0, 1, 2, 3  # of the lists
    length, n_met, n_old, work = 1, 1, 0, 0
    lists[here, 0] = u
    lists[met, 0] = u
    state[u, now] = 1.0
    state[u, _RETURNED] = _TOUCHED
    state[u, _SUM] = weights[0]
    last = len(weights)
    for j in range(1, last):
        left_over = rest[j]
        largest = np.float32(0.0)
        for q in range(length):
            v = lists[here, q]
            x = state[v, now] * left_over
            largest = max(largest, x * created[v])
            if expanded[v] == 0 and (x * created[v] >= least or (j == 1 and least < _NOTHING)):
                expanded[v] = 1
                lists[old, n_old] = v
                n_old += 1
                for place in range(indptr[v], indptr[v + 1]):
                    z, value = indices[place], data[place]
                    if state[z, _RETURNED] == 0.0:
                        lists[met, n_met] = z
                        n_met += 1
                    state[z, _RETURNED] += max(value * value, _TOUCHED)  # a square may be too small for a number
        if largest < _CALM * least:
            break
        if j > 1:
            for q in range(n_old):
                v = lists[old, q]
                value = np.float32(0.0)
                for place in range(indptr[v], indptr[v + 1]):
                    value += data[place] * state[indices[place], now]
                pulled[q] = value
                work += indptr[v + 1] - indptr[v]
        n_there = 0
        for q in range(length):
            v = lists[here, q]
            x = state[v, now]
            state[v, now] = 0.0
            if j > 1 and (expanded[v] == 0 or x * created[v] * left_over < least):
                if j + 1 < last:
                    share = max(np.float32(0.0), returned[v] - state[v, _RETURNED])
                    later = share * weights[j + 3] if j + 3 < last else np.float32(0.0)
                    state[v, _SUM] += x * share * (weights[j + 1] + later)
                continue
            work += indptr[v + 1] - indptr[v]
            for place in range(indptr[v], indptr[v + 1]):
                z, value = indices[place], x * data[place]
                if value == 0.0:  # too small for a number: who gets only such is not met
                    continue
                if state[z, after] == 0.0:
                    lists[there, n_there] = z
                    n_there += 1
                state[z, after] += value
        if j > 1:
            for q in range(n_old):
                v, value = lists[old, q], pulled[q]
                if value > 0.0:
                    if state[v, after] == 0.0:
                        lists[there, n_there] = v
                        n_there += 1
                    state[v, after] = value
        for q in range(n_there):
            z = lists[there, q]
            state[z, _SUM] += weights[j] * state[z, after]
        now, after = after, now
        here, there = there, here
        length = n_there
        if length == 0:
            break
    for q in range(length):
        state[lists[here, q], now] = 0.0
    for q in range(n_old):
        expanded[lists[old, q]] = 0
    return n_met, work


@compiled(reorder=True)
def characteristic_sums(
    indptr: Any,
    indices: Any,
    data: Any,
    left: Any,
    right: Any,
    created: Any,
    returned: Any,
    weights: Any,
    rest: Any,
    nodes: Any,
    least: Any,
    sketch: Any,
    signs: Any,
    lead: Any,
    lead_probes: Any,
    points: Any,
    even: bool,
    state: Any,
    lists: Any,
    room: Any,
    expanded: Any,
    below: Any,
    sines: Any,
    worked: Any,
) -> None:
    """Σ_v (1 − cos t S_vu) and Σ_v sin t S_vu for some nodes u and all landmarks t; `worked` gains stored entries read.

    `least` is the smallest entry worth creating in each column; columns whose is 0 are followed to the end, and nothing
    is added to them. `sketch` holds Sᵀ1, Sᵀ`lead` and then Sᵀ times some columns of random signs, which are bits of
    `signs`; `lead_probes` the products of `lead` with all of these columns.
    `state` (n × 4) and `expanded` (n) are all 0 before and after; `lists` (4 × n) and `room` (5 × n) may hold anything.
    `even` says that landmarks are even multiples of the first that is not 0: entries are then turned, not measured.
    """
    count, probes = len(points), sketch.shape[1]
    pulled, sine, cosine, sine1, cosine1 = room[0], room[1], room[2], room[3], room[4]
    missing = np.empty(probes, np.float64)
    largest = points[count - 1]
    for t in points:
        largest = max(largest, abs(t))
    small = 0.3 / largest  # up to this angle, four terms of the sine and cosine are exact to 2e-5
    first = points[1] if points[0] == 0.0 else points[0]
    for a in range(len(nodes)):
        u = nodes[a]
        factor = right[u]
        own_least = least[a] / factor
        n_met, work = _spread(
            indptr, indices, data, created, returned, weights, rest, u, own_least, state, lists, pulled, expanded
        )
        worked[a] = work
        heavy, total = 0, 0.0
        p1, p2, p3, p4 = 0.0, 0.0, 0.0, 0.0
        for b in range(probes):
            missing[b] = sketch[u, b]
        for q in range(n_met):
            v = lists[2, q]
            x = np.float64(factor * left[v] * state[v, _SUM])
            state[v, _SUM] = 0.0
            state[v, _RETURNED] = 0.0
            bits = signs[v]
            missing[1] -= x * lead[v]
            for b in range(2, probes):
                missing[b] -= x * (1 - 2 * np.int32((bits >> np.uint32(b)) & np.uint32(1)))
            total += x
            if x < small:
                square = x * x
                p1 += x
                p2 += square
                p3 += square * x
                p4 += square * square
            else:
                sine1[heavy] = x
                heavy += 1
        r1, r2 = missing[0] - total, 0.0
        along = missing[1] / lead_probes[1] if lead_probes[1] > 0.0 else 0.0
        for b in range(2, probes):
            beside = missing[b] - along * lead_probes[b]
            r2 += beside * beside
        r2 = along * missing[1] + r2 / max(1, probes - 2)
        size = r2 / r1 if r1 > 1e-7 * total and r2 > 0.0 else 0.0  # of the entries left out, as if they were equal
        if least[a] == 0.0:
            r1, r2, size = 0.0, 0.0, 0.0
        if even:
            for q in range(heavy):
                angle = 0.5 * first * sine1[q]
                sine1[q], cosine1[q] = np.sin(angle), np.cos(angle)
                sine[q], cosine[q] = sine1[q], cosine1[q]
        for i in range(count):
            t = points[i]
            if t == 0.0:
                below[a, i] = 0.0
                sines[a, i] = 0.0
                continue
            squares, products = np.float32(0.0), np.float32(0.0)
            if even:
                for q in range(heavy):
                    s, c = sine[q], cosine[q]
                    squares += s * s
                    products += s * c
                    sine[q] = s * cosine1[q] + c * sine1[q]
                    cosine[q] = c * cosine1[q] - s * sine1[q]
            else:
                for q in range(heavy):
                    angle = 0.5 * t * sine1[q]
                    s, c = np.sin(angle), np.cos(angle)
                    squares += s * s
                    products += s * c
            t2 = t * t
            less = 2.0 * squares + t2 * (0.5 * p2 - t2 / 24.0 * p4)
            more = 2.0 * products + t * (p1 - t2 / 6.0 * p3)
            if abs(size * t) > 1e-3:
                s = np.sin(0.5 * t * size)
                less += r1 / size * 2.0 * s * s
                more += r1 / size * np.sin(t * size)
            else:
                less += 0.5 * t2 * r2
                more += t * r1
            below[a, i] = less
            sines[a, i] = more
