"""What the local Hub holds: accounts and repositories with their commits."""

from __future__ import annotations

from dataclasses import dataclass, field

MAIN = "main"


@dataclass(frozen=True)
class Account:
    """Whom a token belongs to, what it may do, and in which namespaces its owner may write."""

    name: str
    role: str = "write"
    organizations: tuple[str, ...] = ()

    def may_write(self, namespace: str) -> bool:
        return self.role == "write" and namespace in (self.name, *self.organizations)


ACCOUNTS = {
    "hf_ana": Account("ana", organizations=("lab",)),
    "hf_ana_reads": Account("ana", role="read", organizations=("lab",)),
    "hf_bob": Account("bob"),
}


@dataclass(frozen=True)
class Blob:
    """A file in a tree: its content's sums, by which the store has it."""

    oid: str
    size: int
    lfs: str | None = None


@dataclass(frozen=True)
class Commit:
    """A commit; `tree` has every file of the repository by its path."""

    oid: str
    parent: str | None
    title: str
    tree: dict[str, Blob]


@dataclass
class Repository:
    """A dataset repository."""

    private: bool = False
    gated: bool = False
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    pull_requests: dict[str, str] = field(default_factory=dict)

    def find(self, revision: str) -> Commit | None:
        revision = revision.removeprefix("refs/heads/").removeprefix("refs/tags/")
        refs = {**self.tags, **self.branches, **self.pull_requests}
        return self.commits.get(refs.get(revision, revision))

    def log(self, branch: str = MAIN) -> list[str]:
        """Return the titles of a branch's commits, the newest first."""
        titles, oid = [], self.branches.get(branch)
        while oid:
            commit = self.commits[oid]
            titles.append(commit.title)
            oid = commit.parent
        return titles
