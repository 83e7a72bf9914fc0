"""Every decision, taken once: what to build, which treebanks and lexicon, what is fresh, what to check, propose, verify."""
