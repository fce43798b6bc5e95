"""Benchmarks: datasets, metrics, runs, their comparison, their plots and their record in the graph."""

from semkg.evaluate.answering import evaluate_answers
from semkg.evaluate.comparison import Comparison, compare
from semkg.evaluate.datasets import Dataset, Question, read_dataset, read_questions
from semkg.evaluate.graphs import graph_over
from semkg.evaluate.papers import Chunking, evaluate_papers
from semkg.evaluate.plots import plot
from semkg.evaluate.qasper import Paper, read_papers
from semkg.evaluate.recording import record
from semkg.evaluate.retrieval import evaluate_retrieval
from semkg.evaluate.runs import Plan, QuestionResult, Run, read_runs, write_runs

__all__ = [
    "Chunking",
    "Comparison",
    "Dataset",
    "Paper",
    "Plan",
    "Question",
    "QuestionResult",
    "Run",
    "compare",
    "evaluate_answers",
    "evaluate_papers",
    "evaluate_retrieval",
    "graph_over",
    "plot",
    "read_dataset",
    "read_papers",
    "read_questions",
    "read_runs",
    "record",
    "write_runs",
]
