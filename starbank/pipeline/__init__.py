"""Every decision, taken once: what to build, of which treebanks, what is fresh, checked, proposed and verified."""
