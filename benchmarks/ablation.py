"""What each stream and each idea of retrieval is worth: recall@2, @5 and @10 with one of them switched off at a time.

    python benchmarks/ablation.py --kg-2wiki DIR --kg-hotpotqa DIR --kg-musique DIR [--kg-openie DIR] [--limit N] \\
        --out docs/ablation.md --json FILE

The graphs are those that `semkg evaluate multihop` builds from the corpora; the data is found through SEMKG_DATA. Every question is
embedded once, and the graph stream gets all the time that it needs, so that two runs of this command write the same page.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from once import opened, plan

from semkg import KnowledgeGraph
from semkg.config import Settings, settings
from semkg.errors import BadInput
from semkg.evaluate import Comparison, Dataset, Run, compare, evaluate_retrieval, read_dataset
from semkg.evaluate.datasets import drawn, located
from semkg.evaluate.environment import versions
from semkg.evaluate.graphs import is_over
from semkg.evaluate.runs import Setting, means
from semkg.retrieve import DEFAULT

DATASETS = {"2wiki": "2wikimultihopqa", "hotpotqa": "hotpotqa", "musique": "musique", "openie": "openie"}
"""Option → name of the dataset."""

METRICS = ("recall@2", "recall@5", "recall@10")

VOTES = ("subject", "forward", "backward", "shared", "again", "pagerank")
"""Weights of the graph stream: with all of them at 0 the vector and the lexical stream are left."""

OUTWEIGHING = 1000.0
"""A weight beside which the streams that seed PageRank only order what it ranks the same."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One row of the tables."""

    group: str
    name: str
    mode: str = "fusion"
    settings: Mapping[str, Setting] | None = None


def off(*names: str) -> dict[str, Setting]:
    return dict.fromkeys(names, 0.0)


IDEAS = {
    "subject": "votes for what the question names",
    "subject_rarity": "rarity of subjects",
    "forward": "steps to what a passage speaks of",
    "forward_rarity": "rarity of what is spoken of",
    "statement": "nearest statement of a step",
    "wording": "words beside the name",
    "backward": "steps to what speaks of a passage's subject",
    "shared": "steps over a shared entity",
    "shared_rarity": "rarity of shared entities",
    "again": "second step",
    "pagerank": "PageRank",
}
"""Parameter → what goes when it is 0."""

DEFAULT_ROW = Variant("", "default")

VARIANTS = (
    DEFAULT_ROW,
    Variant("a stream switched off", "without the vector stream", settings=off("vector")),
    Variant("a stream switched off", "without the lexical stream", settings=off("lexical")),
    Variant("a stream switched off", "without the graph stream", settings=off(*VOTES)),
    *(Variant("an idea switched off", f"without {text} (`{name}=0`)", settings=off(name)) for name, text in IDEAS.items()),
    Variant("other ways to unite the streams", "reciprocal ranks (`reciprocal=true`)", settings={"reciprocal": True}),
    Variant("other ways to unite the streams", "PageRank the only vote", settings={**off(*VOTES), "pagerank": DEFAULT.pagerank}),
    Variant("other ways to unite the streams", "PageRank alone", settings={**off(*VOTES), "pagerank": OUTWEIGHING}),
    *(Variant("modes", f"mode `{mode}`", mode) for mode in ("vector", "lexical", "kg", "deep")),
)

EXPLANATION = f"""Each row changes one thing of the default (mode `fusion`, `semkg.retrieve.Tuning`); in brackets the difference to the
default. A star marks a difference beyond noise: the 95 % interval of a paired bootstrap over the questions (10,000 samples, seed 0) does
not contain 0; of twenty rows without any effect one gets a star by chance. The last column is that interval for recall@5.

The parameters were chosen on the even-numbered questions (counted from 1) of each set. The odd-numbered ones are held out: the halves of
the default stand below it. *Without the vector stream* and *without the lexical stream* take its hits from the fusion; how well a
passage fits the question by its vector still guides the steps through the graph. *Without the graph stream* means
{", ".join(f"`{name}=0`" for name in VOTES)}. *PageRank the only vote* keeps of these `pagerank={DEFAULT.pagerank:g}`; *PageRank
alone* sets it to {OUTWEIGHING:g}, so that what PageRank starts from (the best passages by words and vectors, the entities of the nearest
statements) only orders what it ranks the same."""


@dataclass(frozen=True, slots=True)
class Row:
    """A variant with what came out. `differences`: metric → comparison with the default; empty for the default itself."""

    variant: Variant
    metrics: Mapping[str, float]
    differences: Mapping[str, Comparison]


@dataclass(frozen=True, slots=True)
class Table:
    """One dataset. `halves`: name → metrics of the default on half of the questions."""

    dataset: str
    questions: int
    passages: int
    halves: Mapping[str, Mapping[str, float]]
    rows: Sequence[Row]


def measure(name: str, folder: Path, limit: int | None, given: Settings) -> Table:
    """All variants on one dataset."""
    dataset = read_dataset(*located(name, given), name=name)
    with opened(folder, given) as graph:
        if not is_over(graph, dataset.corpus):
            raise BadInput(
                f"the graph in {folder} does not hold all of {dataset.corpus.file.path}: build it with `semkg evaluate multihop`"
            )
        base = asked(graph, dataset, DEFAULT_ROW, limit)
        rows = [Row(DEFAULT_ROW, base.metrics, {})]
        for variant in VARIANTS[1:]:
            run = asked(graph, dataset, variant, limit)
            rows.append(Row(variant, run.metrics, {metric: compare(base, run, metric) for metric in METRICS}))
    return Table(name, len(base.per_question), len(dataset.corpus.keys), halves(base, dataset, limit), rows)


def asked(graph: KnowledgeGraph, dataset: Dataset, variant: Variant, limit: int | None) -> Run:
    run = evaluate_retrieval(graph, dataset, plan(limit, variant.mode, variant.settings))
    print(f"{dataset.name:16} {variant.name:70} {run.metrics['recall@5']:.3f}", file=sys.stderr)
    return run


def halves(run: Run, dataset: Dataset, limit: int | None) -> dict[str, Mapping[str, float]]:
    """Metrics over the odd- and the even-numbered questions of the file, counted from 1."""
    numbers = [place + 1 for place in drawn(len(dataset.questions), limit, 0)]
    pairs = list(zip(numbers, run.per_question, strict=True))
    odd, even = ([question.metrics for number, question in pairs if number % 2 == rest] for rest in (1, 0))
    return {"odd": means(odd), "even": means(even)}


def page(tables: Sequence[Table], command: str) -> str:
    """The page in Markdown."""
    made = ", ".join(f"{name} {version}" for name, version in versions().items())
    parts = ["# Ablation", f"Made by one command:\n\n    {command}", EXPLANATION]
    parts += [section(table) for table in tables]
    return "\n\n".join([*parts, f"Made with {made}."]) + "\n"


def section(table: Table) -> str:
    head = ["| | recall@2 | recall@5 | recall@10 | recall@5, 95 % interval |", "| --- | --- | --- | --- | --- |"]
    lines = []
    for before, row in zip([None, *table.rows], table.rows, strict=False):
        if row.variant.group and (before is None or before.variant.group != row.variant.group):
            lines.append(f"| *{row.variant.group}* | | | | |")
        lines.append(line(row))
        if not row.differences:
            lines += [
                f"| default, {name} | " + " | ".join(f"{half[metric]:.3f}" for metric in METRICS) + " | |"
                for name, half in (
                    ("odd-numbered questions (held out)", table.halves["odd"]),
                    ("even-numbered questions", table.halves["even"]),
                )
                if half
            ]
    title = f"## {table.dataset}\n\n{table.questions} questions over {table.passages:,} passages.\n"
    return "\n".join([title, *head, *lines])


def line(row: Row) -> str:
    cells = [cell(row, metric) for metric in METRICS]
    five = row.differences.get("recall@5")
    interval = f"{five.low:+.3f} … {five.high:+.3f}" if five else ""
    name = f"**{row.variant.name}**" if not row.differences else row.variant.name
    return f"| {name} | {' | '.join(cells)} | {interval} |"


def cell(row: Row, metric: str) -> str:
    """`0.912 (-0.031*)`."""
    found = row.differences.get(metric)
    if found is None:
        return f"**{row.metrics[metric]:.3f}**"
    return f"{row.metrics[metric]:.3f} ({found.difference:+.3f}{'*' if beyond_noise(found) else ''})"


def beyond_noise(found: Comparison) -> bool:
    return found.low > 0 or found.high < 0


def as_json(table: Table) -> dict[str, object]:
    rows = [
        {
            "name": row.variant.name,
            "mode": row.variant.mode,
            "settings": dict(row.variant.settings or {}),
            "metrics": {metric: row.metrics[metric] for metric in METRICS},
            "differences": {metric: {**asdict(found), "beyond_noise": beyond_noise(found)} for metric, found in row.differences.items()},
        }
        for row in table.rows
    ]
    return {"dataset": table.dataset, "questions": table.questions, "passages": table.passages, "halves": table.halves, "rows": rows}


def command_of(given: argparse.Namespace) -> str:
    """The command as anybody can run it: folders by their options' names."""
    chosen = [f"--kg-{option} KG_{option.upper()}" for option in DATASETS if getattr(given, f"kg_{option}")]
    limit = [f"--limit {given.limit}"] if given.limit else []
    return " ".join(["python benchmarks/ablation.py", *chosen, *limit, "--out docs/ablation.md"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, name in DATASETS.items():
        parser.add_argument(f"--kg-{option}", type=Path, metavar="DIR", help=f"the graph over the corpus of {name}")
    parser.add_argument("--limit", type=int, help="ask only so many questions of each set, drawn with the seed 0")
    parser.add_argument("--out", type=Path, required=True, help="the page in Markdown")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    folders = {name: folder for option, name in DATASETS.items() if (folder := getattr(given, f"kg_{option}"))}
    if not folders:
        parser.error("name at least one graph, for example --kg-2wiki DIR")
    tables = [measure(name, folder, given.limit, settings()) for name, folder in folders.items()]
    given.out.write_text(page(tables, command_of(given)), encoding="utf-8")
    if given.json:
        given.json.write_text(json.dumps({"versions": versions(), "tables": [as_json(table) for table in tables]}, indent=2) + "\n")


if __name__ == "__main__":
    main()
