"""The graph itself: the one door that writes it, and the reads, merges and deletions that everything above builds on."""
