"""The honest score is one: labels that say nothing get chance, and no choice knows the labels it is tested on."""

from __future__ import annotations

import numpy as np
import pytest
from tests.sweeps.few_designs import FEW, noise, relabelled

import phusion
from phusion.execution.resources import Resources
from phusion.experiments.ledger import Ledger
from phusion.sweeps.cells import choice_cell
from phusion.sweeps.designs import Design
from phusion.sweeps.found import found_in
from phusion.sweeps.nodes import NodeProblem
from phusion.sweeps.rule import Rule
from phusion.sweeps.run import run_sweep


class Guesses(NodeProblem):
    """Designs whose rows are random numbers: none is better than another."""

    def embedded(self, specs, resources):
        return [noise(len(self.truth), 3, spec.random_state) for spec in specs]


def guesses(count):
    spec = phusion.Spec("heat", "identity", {"name": "svd", "dim": 3}, random_state=0)
    return [Design(f"guess {k}", spec.replace(random_state=k)) for k in range(count)]


def finished(problem, designs, folder, name="ledger.sqlite"):
    with Ledger(folder / name) as ledger:
        run_sweep(problem, designs, ledger, resources=Resources(threads=1), room=10**9)
        cells = [choice_cell(problem, designs, part).key for part in problem.parts]
        done = ledger.done(cells)
        return found_in(problem, designs, ledger), [done[key].result for key in cells]


def test_random_labels_get_chance_and_the_best_of_many_gets_more(tmp_path):
    graph = phusion.as_graph([(i, (i + 1) % 120) for i in range(120)])
    graph = relabelled(graph, np.random.default_rng(1).integers(2, size=120))
    problem, designs = Guesses(graph, Rule(seeds=(0, 1), splits=10)), guesses(60)
    found, _ = finished(problem, designs, tmp_path)
    honest = found.honest("accuracy").score
    outer = [part for part in problem.parts if not part.whole]
    rows = problem.embedded([design.spec for design in designs], None)
    means = [np.mean([problem.tested(each, part)["accuracy"] for part in outer]) for each in rows]
    assert honest == pytest.approx(50, abs=6)
    assert max(means) > 57  # what the best of 60 would have reported
    assert max(means) - honest > 5 and found.optimism("accuracy") > 2


def test_labels_of_test_examples_never_change_the_choice_that_is_tested_on_them(tmp_path, karate):
    rule = Rule(seeds=(0,), splits=4, folds=3, keep=4)
    labels = np.asarray(karate.labels.values)
    plain = NodeProblem(karate, rule)
    designs = [Design(label, phusion.Spec.from_dict({**given, "random_state": 0})) for label, given in FEW.items()]
    _, before = finished(plain, designs, tmp_path)
    names = sorted(set(labels))
    for split in range(4):
        turned = labels.copy()
        test = plain.parts[split].test
        turned[test] = [names[1 - names.index(label)] for label in labels[test]]
        changed = NodeProblem(relabelled(karate, turned), rule)
        assert (changed.parts[split].test == test).all()
        _, after = finished(changed, designs, tmp_path, f"turned{split}.sqlite")
        assert after[split]["winner"] == before[split]["winner"]
        assert after[split]["raced"] == before[split]["raced"]
        assert after[split]["test"]["accuracy"] == pytest.approx(100 - before[split]["test"]["accuracy"])


def test_a_design_that_tells_the_classes_apart_wins_and_loses_nothing(tmp_path):
    labels = np.arange(60) % 3
    graph = relabelled(phusion.as_graph([(i, (i + 1) % 60) for i in range(60)]), labels)

    class OneIsGood(Guesses):
        def embedded(self, specs, resources):
            found = super().embedded(specs, resources)
            return [each + 5 * np.eye(3)[labels] if spec.random_state == 4 else each
                    for spec, each in zip(specs, found, strict=True)]  # fmt: skip

    problem = OneIsGood(graph, Rule(seeds=(0,), splits=5, keep=4))
    found, _ = finished(problem, guesses(12), tmp_path)
    assert found.winner.label == "guess 4" and found.rows[0].wins == 5
    assert found.honest("micro_f1").score > 95 and abs(found.optimism("micro_f1")) < 1e-9


def test_trials_look_at_training_examples_only(tmp_path, karate):
    pytest.importorskip("optuna")
    rule = Rule(seeds=(0,), splits=2, folds=3, keep=3, trials=4)
    labels = np.asarray(karate.labels.values)
    plain = NodeProblem(karate, rule)
    designs = [Design("heat", phusion.Spec("heat", "identity", {"name": "svd", "dim": 4}, random_state=0))]
    _, before = finished(plain, designs, tmp_path)
    test = plain.parts[1].test
    turned = labels.copy()
    turned[test] = np.roll(labels[test], 1)
    _, after = finished(NodeProblem(relabelled(karate, turned), rule), designs, tmp_path, "turned.sqlite")
    assert before[1]["proposed"] and after[1]["proposed"] == before[1]["proposed"]
    assert after[1]["winner"] == before[1]["winner"]
