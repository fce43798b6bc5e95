"""A model of sentence-transformers, embedder or cross-encoder: loaded when it is first used, once, on the processor."""

from __future__ import annotations

import importlib
import threading
from typing import Any

from semkg.errors import Misconfigured, SemkgError


class LazyModel:
    """Safe to share between threads."""

    def __init__(self, kind: str, name_or_path: str, called: str, failure: type[SemkgError], setting: str = "") -> None:
        """
        Args:
            kind: the name of its class in sentence-transformers.
            name_or_path: a name on the Hugging Face hub, or a folder.
            called: what messages call it.
            failure: what is raised where it cannot be loaded.
            setting: where its name is set.
        """
        self._kind = kind
        self._name = name_or_path
        self._called = called
        self._failure = failure
        self._where = f" in {setting}" if setting else ""
        self._lock = threading.Lock()
        self._model: Any = None  # sentence-transformers is not installed everywhere

    def __call__(self) -> Any:
        """The model.

        Raises:
            Misconfigured: sentence-transformers is not installed.
        """
        with self._lock:
            self._model = self._model or self._load()
            return self._model

    def _load(self) -> Any:
        try:
            make = getattr(importlib.import_module("sentence_transformers"), self._kind)
        except ImportError as error:
            raise Misconfigured(f"{self._called} needs sentence-transformers: run `pip install 'semkg[embedded]'` ({error})") from error
        try:
            return make(self._name, device="cpu")
        except (OSError, ValueError, RuntimeError) as error:
            first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise self._failure(
                f"{self._called} cannot be loaded ({first}): check its name or path{self._where}, and the network"
            ) from error
