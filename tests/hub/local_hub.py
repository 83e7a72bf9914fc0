"""A Hugging Face Hub on the loopback: what the real client calls, answered as the real Hub answers.

Two servers, as in life: the Hub, which wants a token, and its storage, which takes signed links and refuses a token.
Repositories hold commits, commits hold trees, and content is addressed by its sums, so a test can ask what a reader of
any revision would have seen. `fail` makes a step go wrong; `calls` tells what was asked for.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs

import yaml

from tests.hub.loopback import Answer, Fault, Loopback, Question, Refusal
from tests.hub.repositories import ACCOUNTS, MAIN, Account, Blob, Commit, Repository
from tests.hub.storage import STEPS as STORAGE_STEPS
from tests.hub.storage import Storage, sha1, storage_account

GITATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"


NO_REPOSITORY = Refusal(404, "Repository not found", "RepoNotFound")


class LocalHub:
    """The Hub's state and the steps that read and change it."""

    def __init__(self) -> None:
        self.repositories: dict[str, Repository] = {}
        self.regular: dict[str, bytes] = {}
        self.storage = Storage()
        self.on_commit: Callable[[], None] | None = None
        self.lfs_above = 100
        self.multipart_above = 2**40
        self.page = 1000
        self.loopback = Loopback()
        self.url = self.loopback.serve(self, STEPS, _account)
        self.storage_url = self.loopback.serve(self.storage, STORAGE_STEPS, storage_account)

    @property
    def calls(self) -> list[str]:
        """The steps asked for since the last `mend`."""
        return self.loopback.calls

    def fail(self, step: str, kind: int | str, times: float = float("inf"), **headers: str) -> None:
        """Let a step fail from now on, so many times; see `Fault`."""
        self.loopback.faults[step] = Fault(kind, times, headers)

    def mend(self) -> None:
        """Let all steps work again, and forget what was called."""
        self.loopback.faults.clear()
        self.loopback.calls.clear()

    def files(self, repository: str, revision: str = MAIN) -> dict[str, bytes]:
        """Return what a reader of a revision sees, but for what the Hub itself put there."""
        commit = self.repositories[repository].find(revision)
        assert commit is not None
        found = {path: self.content(blob) for path, blob in sorted(commit.tree.items())}
        return {path: content for path, content in found.items() if path != ".gitattributes"}

    def content(self, blob: Blob) -> bytes:
        return self.storage.files[blob.lfs] if blob.lfs else self.regular[blob.oid]

    # Who may do what

    def repository(self, question: Question, *, write: bool = False) -> Repository:
        name, account = question.parts["repo"], question.account
        found = self.repositories.get(name)
        may_write = account is not None and account.may_write(name.split("/")[0])
        may_read = found is not None and (not found.private or (account and self._is_member(account, name)))
        if found is None or not may_read:
            if account is None:
                raise Refusal(401, "Repository not found", "RepoNotFound")
            raise NO_REPOSITORY
        if write and account is None:
            raise Refusal(401, "Invalid username or password.")
        if write and not may_write and found.gated:
            raise Refusal(403, "Access to this dataset is restricted", "GatedRepo")
        if write and not may_write and question.query.get("create_pr") != "1":
            raise Refusal(403, "Forbidden: pass `create_pr=1` as a query parameter to create a Pull Request")
        return found

    def _is_member(self, account: Account, name: str) -> bool:
        return name.split("/")[0] in (account.name, *account.organizations)

    def commit_at(self, question: Question, revision: str) -> Commit:
        commit = self.repository(question).find(revision)
        if commit is None:
            raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return commit

    # Steps of the Hub

    def whoami(self, question: Question) -> Answer:
        account = question.account
        if account is None:
            raise Refusal(401, "Invalid username or password.")
        organizations = [{"name": name, "roleInOrg": "write"} for name in account.organizations]
        token = {"accessToken": {"displayName": "a token", "role": account.role}}
        return Answer({"type": "user", "name": account.name, "orgs": organizations, "auth": token})

    def create(self, question: Question) -> Answer:
        asked = question.json
        account = question.account
        if account is None:
            raise Refusal(401, "Invalid username or password.")
        namespace = asked["organization"] or account.name
        name = f"{namespace}/{asked['name']}"
        if not account.may_write(namespace):
            message = f'You don\'t have the rights to create a {asked["type"]} under the namespace "{namespace}"'
            raise Refusal(403, message)
        if name.lower() in map(str.lower, self.repositories):
            raise Refusal(409, "You already created this dataset repo")
        repository = Repository(private=asked.get("visibility") == "private")
        self.repositories[name] = repository
        self._commit(repository, MAIN, None, "initial commit", {".gitattributes": self._regular(GITATTRIBUTES)})
        return Answer({"url": f"{self.url}/datasets/{name}", "name": name})

    def validate(self, question: Question) -> Answer:
        front = question.json["content"].split("---\n")
        try:
            errors = [] if len(front) < 3 or isinstance(yaml.safe_load(front[1]), dict) else ["is no mapping"]
        except yaml.YAMLError as error:
            errors = [str(error)]
        messages = [{"message": message} for message in errors]
        return Answer({"errors": messages, "warnings": []}, status=400 if errors else 200)

    def refs(self, question: Question) -> Answer:
        repository = self.repository(question)

        def tell(prefix: str, refs: dict[str, str]) -> list[dict[str, str]]:
            return [{"name": name, "ref": f"{prefix}{name}", "targetCommit": oid} for name, oid in refs.items()]

        heads, tags = tell("refs/heads/", repository.branches), tell("refs/tags/", repository.tags)
        return Answer(
            {"branches": heads, "converts": [], "tags": tags, "pullRequests": tell("", repository.pull_requests)}
        )

    def branch(self, question: Question) -> Answer:
        repository = self.repository(question, write=True)
        name = question.parts["name"]
        if name in repository.branches:
            raise Refusal(409, f"Reference already exists: {name}")
        start = self.commit_at(question, question.json.get("startingPoint", MAIN))
        repository.branches[name] = start.oid
        return Answer({"success": True})

    def tag(self, question: Question) -> Answer:
        repository = self.repository(question, write=True)
        name = question.json["tag"]
        commit = self.commit_at(question, question.parts["revision"])
        if name in repository.tags:
            raise Refusal(409, f"Tag reference exists already: {name}")
        repository.tags[name] = commit.oid
        return Answer({"success": True})

    def revision(self, question: Question) -> Answer:
        name = question.parts["repo"]
        repository = self.repository(question)
        commit = self.commit_at(question, question.parts.get("revision") or MAIN)
        about = {"_id": "0" * 24, "id": name, "author": name.split("/")[0], "sha": commit.oid, "tags": []}
        state = {"private": repository.private, "gated": "auto" if repository.gated else False, "disabled": False}
        files = [{"rfilename": path} for path in sorted(commit.tree)]
        return Answer({**about, **state, "downloads": 0, "likes": 0, "siblings": files})

    def commits(self, question: Question) -> Answer:
        repository = self.repository(question)
        oid: str | None = self.commit_at(question, question.parts["revision"]).oid
        told = []
        while oid:
            commit = repository.commits[oid]
            date = "2026-11-21T00:00:00.000Z"
            told.append({"id": commit.oid, "title": commit.title, "message": "", "authors": [], "date": date})
            oid = commit.parent
        return Answer(told)

    def tree(self, question: Question) -> Answer:
        commit = self.commit_at(question, question.parts["revision"])
        folder = question.parts.get("path") or ""
        prefix = f"{folder}/" if folder else ""
        below = {path: blob for path, blob in sorted(commit.tree.items()) if path.startswith(prefix)}
        if folder and not below:
            raise Refusal(404, f"{folder} does not exist on {question.parts['revision']!r}", "EntryNotFound")
        recursive = question.query.get("recursive", "").lower() in ("true", "1")
        entries: dict[str, dict[str, Any]] = {}
        for path, blob in below.items():
            parts = path.removeprefix(prefix).split("/")
            for depth in range(1, len(parts)):
                name = prefix + "/".join(parts[:depth])
                entries.setdefault(name, {"type": "directory", "oid": sha1(name.encode()), "size": 0, "path": name})
            entries[path] = self._entry(path, blob)
        if not recursive:
            entries = {path: entry for path, entry in entries.items() if "/" not in path.removeprefix(prefix)}
        return self._paged(list(entries.values()), question)

    def _paged(self, entries: list[dict[str, Any]], question: Question) -> Answer:
        start = int(question.query.get("cursor", 0))
        headers = {}
        if start + self.page < len(entries):
            path = f"/api/datasets/{question.parts['repo']}/tree/{question.parts['revision']}"
            query = f"recursive={question.query.get('recursive', 'false')}&cursor={start + self.page}"
            headers = {"Link": f'<{self.url}{path}?{query}>; rel="next"'}
        return Answer(entries[start : start + self.page], headers=headers)

    def paths_info(self, question: Question) -> Answer:
        commit = self.commit_at(question, question.parts["revision"])
        asked = question.json["paths"] if question.body[:1] == b"{" else parse_qs(question.body.decode())["paths"]
        return Answer([self._entry(path, commit.tree[path]) for path in asked if path in commit.tree])

    def _entry(self, path: str, blob: Blob) -> dict[str, Any]:
        lfs = {"lfs": {"oid": blob.lfs, "size": blob.size, "pointerSize": 132}} if blob.lfs else {}
        return {"type": "file", "oid": blob.oid, "size": blob.size, "path": path, **lfs}

    def preupload(self, question: Question) -> Answer:
        repository = self.repository(question, write=True)
        commit = repository.find(question.parts["revision"])
        if commit is None:
            raise Refusal(404, "Invalid rev id", "RevisionNotFound")
        told = []
        for file in question.json["files"]:
            assert base64.b64decode(file["sample"]) is not None
            lfs = file["path"].endswith(".parquet") and file["size"] > self.lfs_above
            known = commit.tree.get(file["path"])
            oid = (known.lfs or known.oid) if known else None
            mode = "lfs" if lfs else "regular"
            told.append({"path": file["path"], "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        return Answer({"files": told})

    def batch(self, question: Question) -> Answer:
        # For a pull request no branch is named, and reading is enough.
        self.repository(question, write="ref" in question.json)
        assert question.headers["Content-Type"].startswith("application/vnd.git-lfs+json")
        told = [self._instructions(question, one["oid"], one["size"]) for one in question.json["objects"]]
        return Answer({"transfer": "basic", "objects": told})

    def _instructions(self, question: Question, oid: str, size: int) -> dict[str, Any]:
        if oid in self.storage.files:
            return {"oid": oid, "size": size}
        verify = {"href": f"{self.url}/datasets/{question.parts['repo']}.git/info/lfs/verify", "header": {}}
        upload: dict[str, Any] = {"href": f"{self.storage_url}/upload/{oid}?signature=s", "header": {}}
        if size > self.multipart_above:
            parts = range(1, -(-size // self.multipart_above) + 1)
            urls = {f"{part:05}": f"{self.storage_url}/part/{oid}/{part}?signature=s" for part in parts}
            href = f"{self.url}/api/complete_multipart?repo={question.parts['repo']}"
            upload = {"href": href, "header": {"chunk_size": str(self.multipart_above), **urls}}
        return {"oid": oid, "size": size, "actions": {"upload": upload, "verify": verify}}

    def complete(self, question: Question) -> Answer:
        self.storage.join(question.json["oid"], [part["etag"] for part in question.json["parts"]])
        return Answer({"success": True})

    def verify(self, question: Question) -> Answer:
        self.repository(question)
        oid, size = question.json["oid"], question.json["size"]
        if len(self.storage.files.get(oid, b"")) != size:
            raise Refusal(404, "the object is not stored, or has another size")
        return Answer({"success": True})

    def xet_token(self, question: Question) -> Answer:
        self.repository(question, write=question.parts["kind"] == "write")
        expiry = int(time.time()) + 3600
        return Answer({"casUrl": self.storage_url, "accessToken": "xet", "exp": expiry})

    def commit(self, question: Question) -> Answer:
        repository = self.repository(question, write=True)
        lines = [json.loads(line) for line in question.body.splitlines()]
        header, operations = lines[0]["value"], lines[1:]
        if self.on_commit:
            self.on_commit()
        branch = question.parts["revision"]
        head = repository.find(branch)
        if head is None or (branch not in repository.branches and question.query.get("create_pr") != "1"):
            raise Refusal(404, f"Invalid rev id: {branch}", "RevisionNotFound")
        parent = header.get("parentCommit")
        if parent and not head.oid.startswith(parent):
            raise Refusal(412, "A commit has happened since. Please refresh and try again.")
        tree = dict(head.tree)
        for operation in operations:
            self._apply(tree, operation["key"], operation["value"])
        if question.query.get("create_pr") == "1":
            number = len(repository.pull_requests) + 1
            oid = self._commit(repository, f"refs/pr/{number}", head.oid, header["summary"], tree)
            page = f"{self.url}/datasets/{question.parts['repo']}/discussions/{number}"
            return self._committed(question, oid, {"pullRequestUrl": page})
        return self._committed(question, self._commit(repository, branch, head.oid, header["summary"], tree), {})

    def _apply(self, tree: dict[str, Blob], key: str, value: dict[str, Any]) -> None:
        path = value["path"]
        if key == "file":
            assert value["encoding"] == "base64"
            tree[path] = self._regular(base64.b64decode(value["content"]))
        elif key == "lfsFile":
            stored = self.storage.files.get(value["oid"])
            if stored is None or len(stored) != value["size"]:
                raise Refusal(400, f"LFS object {value['oid']} is not on the server")
            tree[path] = Blob(_pointer_oid(value["oid"], value["size"]), value["size"], value["oid"])
        elif key == "deletedFile":
            if path not in tree:
                raise Refusal(404, "A file with this name doesn't exist", "EntryNotFound")
            del tree[path]
        else:
            raise Refusal(400, f"unknown operation {key}")

    def _commit(self, repository: Repository, ref: str, parent: str | None, title: str, tree: dict[str, Blob]) -> str:
        oid = sha1(json.dumps([parent, title, {path: blob.oid for path, blob in tree.items()}, ref]).encode())
        repository.commits[oid] = Commit(oid, parent, title, tree)
        (repository.pull_requests if ref.startswith("refs/pr/") else repository.branches)[ref] = oid
        return oid

    def _committed(self, question: Question, oid: str, more: dict[str, str]) -> Answer:
        url = f"{self.url}/datasets/{question.parts['repo']}/commit/{oid}"
        return Answer({"success": True, "commitOid": oid, "commitUrl": url, "hookOutput": "", **more})

    def resolve(self, question: Question) -> Answer:
        repository = self.repository(question)
        account = question.account
        member = account is not None and self._is_member(account, question.parts["repo"])
        if repository.gated and not member:
            raise Refusal(403 if account else 401, "Access to this dataset is restricted", "GatedRepo")
        commit = self.commit_at(question, question.parts["revision"])
        about = {"X-Repo-Commit": commit.oid, "Accept-Ranges": "bytes"}
        blob = commit.tree.get(question.parts["path"])
        if blob is None:
            raise Refusal(404, "Entry not found", "EntryNotFound", headers=about)
        if blob.lfs is None:
            return Answer(content=self.content(blob), headers={**about, "ETag": f'"{blob.oid}"'})
        linked = {"X-Linked-Etag": f'"{blob.lfs}"', "X-Linked-Size": str(blob.size), "ETag": f'"{blob.oid}"'}
        place = f"{self.storage_url}/cdn/{blob.lfs}?signature=s"
        return Answer(content=b"", status=302, headers={**about, **linked, "Location": place})

    def _regular(self, content: bytes) -> Blob:
        oid = sha1(f"blob {len(content)}\0".encode() + content)
        self.regular[oid] = content
        return Blob(oid, len(content))


REPO = r"/api/datasets/(?P<repo>[^/]+/[^/]+)"
GIT = r"/datasets/(?P<repo>[^/]+/[^/]+)\.git"
REVISION = r"(?P<revision>[^/]+)"
STEPS = {
    "whoami": r"GET /api/whoami-v2",
    "create": r"POST /api/repos/create",
    "validate": r"POST /api/validate-yaml",
    "refs": rf"GET {REPO}/refs",
    "branch": rf"POST {REPO}/branch/(?P<name>[^/]+)",
    "tag": rf"POST {REPO}/tag/{REVISION}",
    "commits": rf"GET {REPO}/commits/{REVISION}",
    "tree": rf"GET {REPO}/tree/{REVISION}(/(?P<path>.+))?",
    "paths_info": rf"POST {REPO}/paths-info/{REVISION}",
    "preupload": rf"POST {REPO}/preupload/{REVISION}",
    "xet_token": rf"GET {REPO}/xet-(?P<kind>read|write)-token/{REVISION}",
    "commit": rf"POST {REPO}/commit/{REVISION}",
    "batch": rf"POST {GIT}/info/lfs/objects/batch",
    "verify": rf"POST {GIT}/info/lfs/verify",
    "complete": r"POST /api/complete_multipart",
    "resolve": rf"(GET|HEAD) /datasets/(?P<repo>[^/]+/[^/]+)/resolve/{REVISION}/(?P<path>.+)",
    "revision": rf"GET {REPO}(/revision/{REVISION})?",
}


def _account(_: str, token: str) -> Account | None:
    if token and token not in ACCOUNTS:
        raise Refusal(401, "Invalid credentials in Authorization header")
    return ACCOUNTS.get(token)


def _pointer_oid(oid: str, size: int) -> str:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size}\n".encode()
    return sha1(f"blob {len(pointer)}\0".encode() + pointer)


@contextmanager
def local_hub() -> Iterator[LocalHub]:
    """Yield a Hub that runs until the block ends."""
    hub = LocalHub()
    try:
        yield hub
    finally:
        hub.loopback.close()
