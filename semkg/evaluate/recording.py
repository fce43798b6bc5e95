"""A run in the graph itself: a PROV activity and, for each metric, a measurement of the Data Quality Vocabulary (W3C Note DQV, 2016).

All of it is in the named graph `graph/evaluation`; the canonical hash of the content does not see it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pyoxigraph as ox

from semkg.evaluate.runs import Run
from semkg.graph.rdf import moment
from semkg.ids import Names
from semkg.session import KnowledgeGraph
from semkg.vocab import DCAT, DCTERMS, DQV, PROV, RDF, RDFS, SEMKG, SKOS, XSD

Term = ox.NamedNode | ox.Literal
Triple = tuple[ox.NamedNode, ox.NamedNode, Term]

DEFINITIONS: Mapping[str, str] = {
    "recall": "The share of the gold passages or paragraphs among the first k that were found, mean over the questions.",
    "ndcg": "The normalised discounted cumulative gain of the first k with binary gain, mean over the questions.",
    "mrr": "One over the rank of the first gold passage, mean over the questions.",
    "exact_match": "The share of the answers that equal a gold answer after SQuAD's normalisation.",
    "contained_match": "The share of the answers that contain a gold answer after SQuAD's normalisation.",
    "f1": "The F1 of the tokens of answer and gold answer after SQuAD's normalisation, the best gold answer, mean over the questions.",
    "answered": "The share of the questions that were answered at all.",
    "answer_f1": "The F1 of the tokens of the answer, the best annotator, mean over the questions (QASPER).",
    "evidence_f1": "The F1 of the paragraphs that the answer cites, the best annotator, mean over the questions (QASPER).",
    "retrieved_evidence_f1": "The F1 of the paragraphs in the first k chunks, the best annotator, mean over the questions.",
    "latency": "The time of a question in milliseconds.",
}
"""Family of metrics → how it is computed."""


def record(graph: KnowledgeGraph, run: Run) -> int:
    """Write a run into the graph that it measured; the same run again changes nothing.

    Args:
        graph: open for writing.
        run: what was measured.

    Returns:
        The commit; 0 where the graph held it already.

    Raises:
        BadInput: the record would not conform to the shapes.
        StorageFull, StorageError, PermissionDenied: the store failed.
    """
    names, home = graph.parts.names, graph.parts.layout.evaluation
    return graph.writer.rewrite([ox.Quad(*triple, home) for triple in _triples(run, names)], [])


def _triples(run: Run, names: Names) -> Iterator[Triple]:
    settings = json.dumps({**run.settings, "seed": run.seed}, sort_keys=True)
    key = (run.task, run.dataset.questions_sha256, run.mode, settings, run.started.isoformat())
    activity = names.activity("evaluation", *key)
    yield from _activity(run, activity, settings, names)
    yield names.dataset_iri, RDF.type, DCAT.Dataset
    measured = {**run.metrics, **{f"latency {name}": value for name, value in run.latency_ms.items()}}
    for name, value in measured.items():
        metric, measurement = names.metric(name), names.measurement(*key, name)
        yield metric, RDF.type, DQV.Metric
        yield metric, SKOS.prefLabel, ox.Literal(name)
        yield metric, SKOS.definition, ox.Literal(DEFINITIONS[name.partition("@")[0].partition(" ")[0]], language="en")
        yield metric, DQV.expectedDataType, XSD.double
        yield measurement, RDF.type, DQV.QualityMeasurement
        yield measurement, DQV.isMeasurementOf, metric
        yield measurement, DQV.computedOn, names.dataset_iri
        yield measurement, DQV.value, ox.Literal(float(value))
        yield measurement, PROV.wasGeneratedBy, activity


def _activity(run: Run, activity: ox.NamedNode, settings: str, names: Names) -> Iterator[Triple]:
    agent = names.agent("semkg-evaluate", run.versions["semkg"])
    yield activity, RDF.type, SEMKG.Evaluation
    yield activity, RDFS.label, ox.Literal(f"{run.task} on {run.dataset.name}, mode {run.mode}")
    yield activity, PROV.startedAtTime, moment(run.started)
    yield activity, PROV.endedAtTime, moment(run.ended)
    yield activity, PROV.wasAssociatedWith, agent
    yield activity, SEMKG.retrievalMode, ox.Literal(run.mode)
    yield activity, SEMKG.retrievalSettings, ox.Literal(settings)
    yield agent, RDF.type, PROV.SoftwareAgent
    yield agent, RDFS.label, ox.Literal(f"semkg evaluate {run.versions['semkg']}")
    files = [(run.dataset.questions_sha256, run.dataset.questions_file), (run.dataset.corpus_sha256, run.dataset.corpus_file)]
    for sha256, name in files:
        if sha256:
            file = ox.NamedNode(f"urn:sha256:{sha256}")
            yield activity, PROV.used, file
            yield file, RDF.type, DCAT.Distribution
            yield file, RDF.type, PROV.Entity
            yield file, DCTERMS.title, ox.Literal(name)
