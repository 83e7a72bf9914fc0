"""A dataset folder -> a repository on the Hugging Face Hub, in one commit.

A push looks at what the repository holds, and commits what differs, under the condition that nobody else has committed
since. So it can be interrupted anywhere: the repository is as it was or as it should be, and the same push goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from starbank import __version__
from starbank.errors import HubError, UsageError
from starbank.hub.changes import Changes, compare, local_files
from starbank.hub.client import moved, open_hub, persist

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import GitRefInfo, GitRefs, RepoFile

MAIN = "main"
KIND = "dataset"
# What the title of each of our commits ends with, before the version.
SIGNED = "with Starbank "
# How many of the newest pull requests may be the one that an interrupted push opened.
RECENT = 3


@dataclass(frozen=True)
class Pushed:
    """What a push did, or what it would do.

    `commit` is the repository's commit that holds the files, None in a dry run where it has yet to be made; `made`
    tells whether it is new, `created` whether the repository is; `place` is where people see it: the page of the
    repository, of a branch or of a pull request.
    """

    place: str
    changes: Changes
    commit: str | None
    made: bool
    created: bool
    tag: str | None

    def __str__(self) -> str:
        """Return all this in a line."""
        if self.made and self.commit:
            state = f"commit {self.commit[:10]}"
        elif self.commit:
            state = "nothing to push"
        else:
            state = "would be pushed" + (" to a new repository" if self.created else "")
        tagged = [f"tagged {self.tag}"] if self.tag and self.commit else []
        return f"{', '.join([f'{state} ({self.changes})', *tagged])} -> {self.place}"


@dataclass(frozen=True)
class _Plan:
    """What is asked for."""

    files: Mapping[str, Path]
    repository: str
    private: bool
    tag: str | None
    branch: str
    create_pr: bool
    overwrite: bool
    dry_run: bool


def push(
    folder: Path,
    repository: str,
    *,
    private: bool = False,
    tag: str | None = None,
    revision: str | None = None,
    create_pr: bool = False,
    overwrite: bool = False,
    dry_run: bool = False,
) -> Pushed:
    """Make `repository` (`my-org/name`) hold the dataset in `folder`, and tell what that changed.

    The repository is made if it is not there, `private` if so wished. Files of earlier versions that the folder no
    longer has are deleted in the same commit; where nothing differs, no commit is made. `revision` is a branch, made if
    it is not there; `create_pr` proposes the changes as a pull request instead; `tag` names the version. What
    others have put into the repository, or changed there, is replaced or deleted only where `overwrite` says so. A
    `dry_run` only tells.

    Raises `SuiteError` for a folder that is no dataset, `UsageError` for wishes that go not together, and `HubError`
    where the Hub cannot or will not; then the repository is as it was, or as it should be but for the tag.
    """
    if create_pr and (tag or revision not in (None, MAIN)):
        raise UsageError("a pull request is for the main branch, and is tagged when it is merged")
    plan = _Plan(local_files(Path(folder)), repository, private, tag, revision or MAIN, create_pr, overwrite, dry_run)
    api = open_hub(write=not dry_run)
    heads: set[str] = set()
    return persist(lambda: _attempt(api, plan, heads), api, repository)


def _attempt(api: HfApi, plan: _Plan, heads: set[str]) -> Pushed:
    """Push; `heads` gathers what earlier attempts found, for they may have got further than they heard."""
    refs = _refs(api, plan)
    created = refs is None
    if refs is None:
        if plan.dry_run:
            return Pushed(_page(api, plan), compare(plan.files, ()), None, False, True, plan.tag)
        api.create_repo(plan.repository, repo_type=KIND, private=plan.private or None)
        refs = api.list_repo_refs(plan.repository, repo_type=KIND)
    elif plan.private:
        _require_private(api, plan.repository)
    head, is_new = _head(refs, plan)
    changes = compare(plan.files, _tree(api, plan, head) if head else ())
    _require_free_tag(refs, plan, changes, head)
    if head and not plan.overwrite and not plan.create_pr:
        _require_ours(api, plan, changes, head)
    if plan.dry_run:
        return Pushed(_page(api, plan), changes, None if changes else head, False, False, plan.tag)
    if is_new:
        api.create_branch(plan.repository, branch=plan.branch, repo_type=KIND, exist_ok=True)
    # Where an earlier attempt was not answered and nothing is left to do, that attempt did it.
    commit, place, made = head, "", bool(heads) and head not in heads
    if changes:
        commit, place, made = _commit(api, plan, changes, head, refs, heads)
    if plan.tag and plan.tag not in _named(refs.tags):
        api.create_tag(plan.repository, tag=plan.tag, revision=commit, repo_type=KIND)
    return Pushed(place or _page(api, plan), changes, commit, made, created, plan.tag)


def _refs(api: HfApi, plan: _Plan) -> GitRefs | None:
    """Return the branches and tags of the repository, None where there is none that the account sees."""
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    try:
        return api.list_repo_refs(plan.repository, repo_type=KIND, include_pull_requests=plan.create_pr)
    except GatedRepoError:
        raise
    except RepositoryNotFoundError:
        return None


def _require_private(api: HfApi, repository: str) -> None:
    if not api.dataset_info(repository).private:
        hint = "Change that in its settings, or push to another repository."
        raise HubError(f"{repository} is there already, and is public", hint=hint)


def _head(refs: GitRefs, plan: _Plan) -> tuple[str | None, bool]:
    """Return the commit that the push starts from, and whether its branch has yet to be made."""
    branches = _named(refs.branches)
    return branches.get(plan.branch) or branches.get(MAIN), plan.branch not in branches


def _named(refs: list[GitRefInfo]) -> dict[str, str]:
    return {ref.name: ref.target_commit for ref in refs}


def _tree(api: HfApi, plan: _Plan, revision: str) -> list[RepoFile]:
    from huggingface_hub.hf_api import RepoFile

    entries = api.list_repo_tree(plan.repository, repo_type=KIND, revision=revision, recursive=True)
    return [entry for entry in entries if isinstance(entry, RepoFile)]


def _require_free_tag(refs: GitRefs, plan: _Plan, changes: Changes, head: str | None) -> None:
    tagged = _named(refs.tags).get(plan.tag) if plan.tag else None
    if tagged and (changes or tagged != head):
        hint = "A version that people may have cited stays what it is. Choose a new tag."
        raise HubError(f"{plan.repository} has another version tagged {plan.tag}", hint=hint)


def _require_ours(api: HfApi, plan: _Plan, changes: Changes, head: str) -> None:
    """Raise `HubError` where files would be replaced or deleted that are not as the last push left them."""
    paths = {*changes.changed, *changes.deleted}
    if not paths:
        return
    commits = api.list_repo_commits(plan.repository, repo_type=KIND, revision=head)
    last = next((commit.commit_id for commit in commits if SIGNED in commit.title), None)
    pushed = {file.path: file.blob_id for file in _tree(api, plan, last)} if last else {}
    foreign = [file.path for file in _tree(api, plan, head) if pushed.get(file.path) != file.blob_id]
    lost = sorted(paths.intersection(foreign))
    if lost:
        hint = "Somebody else put them there, or changed them. Keep what you need of them, then push with --overwrite."
        raise HubError(f"{plan.repository} has files that Starbank did not make: {', '.join(lost)}", hint=hint)


def _commit(
    api: HfApi, plan: _Plan, changes: Changes, head: str | None, refs: GitRefs, heads: set[str]
) -> tuple[str, str, bool]:
    """Commit the changes; return the commit, the pull request's page or nothing, and whether it was made now."""
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    for pull_request in (refs.pull_requests or [])[-RECENT:]:
        if not compare(plan.files, _tree(api, plan, pull_request.target_commit)):
            number = pull_request.ref.rpartition("/")[2]
            return pull_request.target_commit, f"{_page(api, plan)}/discussions/{number}", bool(heads)
    heads.add(head or "")
    if len(heads) > 1:
        raise moved(plan.repository)
    info = api.create_commit(
        plan.repository,
        [
            *(CommitOperationAdd(path, plan.files[path]) for path in [*changes.added, *changes.changed]),
            *(CommitOperationDelete(path, is_folder=False) for path in changes.deleted),
        ],
        commit_message=" ".join(["Push", *([plan.tag] if plan.tag else []), f"{SIGNED}{__version__}"]),
        commit_description=str(changes),
        repo_type=KIND,
        revision=plan.branch,
        create_pr=plan.create_pr,
        parent_commit=head,
    )
    return info.oid, info.pr_url or "", True


def _page(api: HfApi, plan: _Plan) -> str:
    page = f"{api.endpoint}/datasets/{plan.repository}"
    return page if plan.branch == MAIN else f"{page}/tree/{plan.branch}"
