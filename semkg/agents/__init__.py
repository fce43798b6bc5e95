"""The loops that read and answer, each with an embedded player that needs no model server."""
