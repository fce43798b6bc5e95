"""Metrics as their benchmarks define them, as pure functions.

Rankings: recall, nDCG (Järvelin and Kekäläinen 2002, binary gain), reciprocal rank.
Answers: exact match and token F1 with the normalisation of SQuAD 1.1 (Rajpurkar et al. 2016), HotpotQA's rule for yes and no (Yang et al.
2018), sub-string exact match (Think-on-Graph 3.0, Appendix E).
Evidence: the paragraph F1 of QASPER (Dasigi et al. 2021). The best of several annotators is the caller's `max`.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_VERDICTS = frozenset({"yes", "no", "noanswer"})


def recall(ranking: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """The share of `gold` among the first `k`.

    Raises:
        ValueError: there is no gold.

    >>> recall(["a", "x", "b"], {"a", "b"}, 2)
    0.5
    """
    wanted = _wanted(gold)
    return len(wanted.intersection(ranking[:k])) / len(wanted)


def ndcg(ranking: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """The normalised discounted cumulative gain of the first `k`; a gold item gains 1 at its first place.

    Raises:
        ValueError: there is no gold.

    >>> round(ndcg(["x", "a"], {"a"}, 5), 4)
    0.6309
    """
    wanted = _wanted(gold)
    first = dict.fromkeys(ranking[:k])
    gain = sum(1 / math.log2(place + 1) for place, item in enumerate(first, 1) if item in wanted)
    return gain / sum(1 / math.log2(place + 1) for place in range(1, min(k, len(wanted)) + 1))


def reciprocal_rank(ranking: Sequence[Hashable], gold: Collection[Hashable]) -> float:
    """One over the place of the first gold item, 0 where there is none; its mean over the questions is the MRR.

    >>> reciprocal_rank(["x", "a", "b"], {"a", "b"})
    0.5
    """
    wanted = _wanted(gold)
    return next((1 / place for place, item in enumerate(ranking, 1) if item in wanted), 0.0)


def _wanted(gold: Collection[Hashable]) -> set[Hashable]:
    if not gold:
        raise ValueError("a ranking is measured against at least one gold item")
    return set(gold)


def normal_answer(text: str) -> str:
    """An answer as SQuAD's evaluator compares it: lower case, without punctuation, articles and extra white space.

    >>> normal_answer("The  Café, in an A-frame!")
    'café in aframe'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(prediction: str, reference: str) -> float:
    """1 where both are the same after normalisation.

    >>> exact_match("the Eiffel Tower.", "Eiffel tower")
    1.0
    """
    return float(normal_answer(prediction) == normal_answer(reference))


def contained_match(prediction: str, reference: str) -> float:
    """1 where the prediction contains the reference after normalisation; an empty reference is contained in an empty prediction only.

    >>> contained_match("It is the Eiffel Tower in Paris.", "Eiffel Tower"), contained_match("Paris", "")
    (1.0, 0.0)
    """
    said, wanted = normal_answer(prediction), normal_answer(reference)
    return float(wanted in said if wanted else said == wanted)


def token_f1(prediction: str, reference: str) -> float:
    """The harmonic mean of precision and recall of the normalised tokens (SQuAD; QASPER's answer F1 for one annotator).

    >>> round(token_f1("in Paris, France", "Paris"), 2)
    0.5
    """
    said, wanted = Counter(normal_answer(prediction).split()), Counter(normal_answer(reference).split())
    return _f1((said & wanted).total(), said.total(), wanted.total())


def answer_f1(prediction: str, reference: str) -> float:
    """As `token_f1`, but yes, no and "noanswer" agree with nothing else (HotpotQA's evaluator).

    >>> answer_f1("no", "no news"), token_f1("no", "no news") > 0
    (0.0, True)
    """
    said, wanted = normal_answer(prediction), normal_answer(reference)
    return 0.0 if said != wanted and _VERDICTS & {said, wanted} else token_f1(prediction, reference)


def evidence_f1(prediction: Collection[Hashable], reference: Collection[Hashable]) -> float:
    """The F1 of two sets of paragraphs; 1 where both are empty (QASPER's evidence F1 for one annotator).

    >>> evidence_f1({"p1", "p2"}, {"p1"}) == 2 / 3, evidence_f1((), ())
    (True, 1.0)
    """
    said, wanted = set(prediction), set(reference)
    return 1.0 if not said and not wanted else _f1(len(said & wanted), len(said), len(wanted))


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean; 0 of nothing.

    >>> mean([0.0, 1.0])
    0.5
    """
    found = list(values)
    return math.fsum(found) / len(found) if found else 0.0


def _f1(same: int, said: int, wanted: int) -> float:
    return 2 * same / (said + wanted) if same else 0.0
