"""A push makes a repository hold what the folder holds, in one commit, and tells what it did."""

from __future__ import annotations

import pytest

from starbank.cli import main
from starbank.errors import HubError, SuiteError, UsageError
from starbank.hub import publish, push
from tests.hub.suites import GEORGIAN, contents, item, write

pytestmark = pytest.mark.slow

REPOSITORY = "lab/georgian"
UPLOADS = {"preupload", "batch", "upload", "commit"}


def change(folder, suites):
    """Publish again: one suite gone, one new, one as it was."""
    write(suites / "erg-subj", [], [], [GEORGIAN])
    forms = {"Nom": ("", "სახლი", " დგას."), "Dat": ("", "სახლს", " დგას.")}
    write(suites / "new-subj", [item(7, "new-subj", "UD_Georgian-GLC", forms, 2)], [], [GEORGIAN])
    publish([suites], folder)


def upload(path, content):
    """Put a file into the repository as people do, without Starbank."""
    from huggingface_hub import HfApi

    HfApi(token="hf_ana").upload_file(
        path_or_fileobj=content, path_in_repo=path, repo_id=REPOSITORY, repo_type="dataset"
    )


# What a push does


def test_the_first_push_makes_the_repository_and_one_commit(hub, folder):
    pushed = push(folder, REPOSITORY)
    repository = hub.repositories[REPOSITORY]
    assert pushed.created
    assert pushed.made
    assert pushed.commit == repository.branches["main"]
    assert repository.log() == ["Push with Starbank 0.2.0", "initial commit"]
    assert hub.files(REPOSITORY) == contents(folder)
    assert not repository.private


def test_the_same_push_again_uploads_nothing_and_makes_no_commit(hub, folder):
    push(folder, REPOSITORY)
    hub.mend()
    pushed = push(folder, REPOSITORY)
    assert not pushed.changes
    assert not pushed.made
    assert hub.calls == ["refs", "tree"]
    assert len(hub.repositories[REPOSITORY].log()) == 2


def test_a_changed_dataset_is_one_commit_that_deletes_what_is_stale(hub, folder, suites):
    push(folder, REPOSITORY)
    change(folder, suites)
    pushed = push(folder, REPOSITORY)
    assert list(pushed.changes.added) == [path for path in contents(folder) if "new-subj" in path]
    assert "README.md" in pushed.changes.changed
    assert {"data/erg-subj/items.parquet", "data/erg-subj/pairs.parquet"} <= set(pushed.changes.deleted)
    assert len(hub.repositories[REPOSITORY].log()) == 3
    assert hub.files(REPOSITORY) == contents(folder)


def test_only_what_changed_is_uploaded(hub, folder, suites):
    push(folder, REPOSITORY)
    change(folder, suites)
    hub.mend()
    push(folder, REPOSITORY)
    # Those of the new suite, and the rejects of the one that lost its items.
    assert hub.calls.count("upload") == 4


def test_what_people_put_into_the_repository_by_hand_stays(hub, folder):
    push(folder, REPOSITORY)
    upload("NOTES.md", b"notes")
    assert not push(folder, REPOSITORY).changes
    assert hub.files(REPOSITORY)["NOTES.md"] == b"notes"
    assert ".gitattributes" in hub.repositories[REPOSITORY].find("main").tree


def test_what_others_changed_in_the_repository_is_not_overwritten_unasked(hub, folder, suites):
    push(folder, REPOSITORY)
    upload("README.md", b"---\npretty_name: By hand\n---\n")
    upload("suites/mine.json", b"{}")
    change(folder, suites)
    told = "lab/georgian has files that Starbank did not make: README.md, suites/mine.json"
    for wishes in ({}, {"dry_run": True}):
        with pytest.raises(HubError, match=told):
            push(folder, REPOSITORY, **wishes)
    assert hub.files(REPOSITORY)["suites/mine.json"] == b"{}"
    push(folder, REPOSITORY, overwrite=True)
    assert hub.files(REPOSITORY) == contents(folder)
    # From here on they are ours again.
    (folder / "LICENSE").write_text("another")
    assert list(push(folder, REPOSITORY).changes.changed) == ["LICENSE"]


def test_the_dataset_of_somebody_else_is_not_overwritten_unasked(hub, folder):
    from huggingface_hub import HfApi

    HfApi(token="hf_ana").create_repo(REPOSITORY, repo_type="dataset")
    upload("README.md", b"---\npretty_name: Another\n---\n")
    upload("data/train.parquet", b"PAR1")
    with pytest.raises(HubError, match=r"has files that Starbank did not make: README\.md, data/train\.parquet"):
        push(folder, REPOSITORY)
    push(folder, REPOSITORY, overwrite=True)
    assert hub.files(REPOSITORY) == contents(folder)


def test_a_link_sends_nothing_from_elsewhere(hub, folder, tmp_path):
    (tmp_path / "secret").write_text("secret")
    (folder / "notes.md").symlink_to(tmp_path / "secret")
    with pytest.raises(SuiteError, match=r"notes\.md: is a link, or no file"):
        push(folder, REPOSITORY)
    assert hub.calls == []


def test_hidden_files_stay_at_home(hub, folder):
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("secret")
    (folder / ".DS_Store").write_text("x")
    push(folder, REPOSITORY)
    assert not [path for path in hub.files(REPOSITORY) if path.startswith(".")]


def test_a_repository_is_made_private_if_wished(hub, folder):
    push(folder, REPOSITORY, private=True)
    assert hub.repositories[REPOSITORY].private
    assert not push(folder, REPOSITORY, private=True).changes


def test_a_public_repository_is_not_taken_for_a_private_one(hub, folder):
    push(folder, REPOSITORY)
    with pytest.raises(HubError, match="lab/georgian is there already, and is public"):
        push(folder, REPOSITORY, private=True)


def test_large_repositories_are_listed_page_by_page(hub, folder):
    push(folder, REPOSITORY)
    hub.page = 2
    assert not push(folder, REPOSITORY).changes


def test_large_files_go_up_in_parts(hub, folder):
    hub.multipart_above = 1000
    push(folder, REPOSITORY)
    assert hub.calls.count("part") > hub.calls.count("complete") > 0
    assert hub.files(REPOSITORY) == contents(folder)


def test_files_go_through_xet_where_the_client_has_it(hub, folder, suites, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", False)
    push(folder, REPOSITORY)
    assert {"xet_token", "xorb", "shard"} <= set(hub.calls)
    assert not {"batch", "upload"} & set(hub.calls)
    assert hub.files(REPOSITORY) == contents(folder)
    change(folder, suites)
    push(folder, REPOSITORY)
    assert hub.files(REPOSITORY) == contents(folder)
    assert not push(folder, REPOSITORY).changes


# Versions, branches, pull requests


def test_a_version_is_tagged(hub, folder, suites):
    push(folder, REPOSITORY, tag="v1.0.0")
    first = contents(folder)
    change(folder, suites)
    push(folder, REPOSITORY, tag="v2.0.0")
    assert hub.files(REPOSITORY, "v1.0.0") == first
    assert hub.files(REPOSITORY, "v2.0.0") == contents(folder)


def test_tagging_what_is_there_already_makes_no_commit(hub, folder):
    push(folder, REPOSITORY)
    push(folder, REPOSITORY, tag="v1.0.0")
    push(folder, REPOSITORY, tag="v1.0.0")
    assert hub.repositories[REPOSITORY].tags == {"v1.0.0": hub.repositories[REPOSITORY].branches["main"]}
    assert len(hub.repositories[REPOSITORY].log()) == 2


def test_a_tag_never_moves(hub, folder, suites):
    push(folder, REPOSITORY, tag="v1.0.0")
    before = hub.files(REPOSITORY)
    change(folder, suites)
    with pytest.raises(HubError, match="has another version tagged v1"):
        push(folder, REPOSITORY, tag="v1.0.0")
    assert hub.files(REPOSITORY) == before


def test_a_branch_is_made_and_leaves_main_alone(hub, folder, suites):
    push(folder, REPOSITORY)
    before = contents(folder)
    change(folder, suites)
    push(folder, REPOSITORY, revision="next")
    assert hub.files(REPOSITORY, "next") == contents(folder)
    assert hub.files(REPOSITORY) == before
    assert hub.repositories[REPOSITORY].log("next") == ["Push with Starbank 0.2.0"] * 2 + ["initial commit"]


def test_a_pull_request_proposes_once(hub, folder, suites):
    push(folder, REPOSITORY)
    before = contents(folder)
    change(folder, suites)
    pushed = push(folder, REPOSITORY, create_pr=True)
    assert pushed.place == f"{hub.url}/datasets/lab/georgian/discussions/1"
    assert push(folder, REPOSITORY, create_pr=True).place == pushed.place
    assert list(hub.repositories[REPOSITORY].pull_requests) == ["refs/pr/1"]
    assert hub.files(REPOSITORY, "refs/pr/1") == contents(folder)
    assert hub.files(REPOSITORY) == before


def test_a_stranger_may_propose(hub, folder, suites, monkeypatch):
    push(folder, REPOSITORY)
    change(folder, suites)
    monkeypatch.setenv("HF_TOKEN", "hf_bob")
    push(folder, REPOSITORY, create_pr=True)
    assert hub.files(REPOSITORY, "refs/pr/1") == contents(folder)


@pytest.mark.parametrize("wishes", [{"tag": "v1.0.0"}, {"revision": "next"}])
def test_a_pull_request_goes_not_with_tags_and_branches(hub, folder, wishes):
    with pytest.raises(UsageError, match="a pull request is for the main branch"):
        push(folder, REPOSITORY, create_pr=True, **wishes)


# A dry run


def test_a_dry_run_tells_what_would_change_and_changes_nothing(hub, folder, suites, capsys):
    push(folder, REPOSITORY)
    before = hub.files(REPOSITORY)
    (folder / "data" / "erg-subj" / "pairs.parquet").unlink()
    (folder / "LICENSE").write_bytes(b"x" * 1500)
    (folder / "figure.svg").write_bytes(b"y" * 20)
    hub.mend()
    main(["push", str(folder), "--repo", REPOSITORY, "--dry-run"])
    told = capsys.readouterr()
    stale = len(before["data/erg-subj/pairs.parquet"])
    assert told.out.splitlines() == [
        "added         20 B  figure.svg",
        "changed     1.5 kB  LICENSE",
        f"deleted  {stale / 1000:>6.1f} kB  data/erg-subj/pairs.parquet",
    ]
    assert "would be pushed (1 added, 1 changed, 1 deleted, " in told.err
    assert not {*UPLOADS, "create", "tag", "branch"} & set(hub.calls)
    assert hub.files(REPOSITORY) == before


def test_a_dry_run_tells_that_the_repository_would_be_made(hub, folder):
    pushed = push(folder, REPOSITORY, dry_run=True)
    assert "would be pushed to a new repository" in str(pushed)
    assert list(pushed.changes.added) == list(contents(folder))
    assert hub.repositories == {}


def test_a_dry_run_on_a_public_repository_needs_no_token(hub, folder, monkeypatch):
    push(folder, REPOSITORY)
    monkeypatch.delenv("HF_TOKEN")
    assert not push(folder, REPOSITORY, dry_run=True).changes


# What cannot be pushed


def test_a_folder_without_a_card_is_no_dataset(hub, folder):
    (folder / "README.md").unlink()
    with pytest.raises(SuiteError, match=r"is no whole dataset: it has no README\.md"):
        push(folder, REPOSITORY)
    assert hub.calls == []


def refused(hub, folder, capsys, *options: str) -> str:
    """Push by the command line, which must fail, and return what it says."""
    with pytest.raises(SystemExit) as end:
        main(["push", str(folder), "--repo", REPOSITORY, *options])
    assert end.value.code == 2
    told = capsys.readouterr()
    assert "hf_" not in (told.out + told.err).replace("HF_TOKEN", "")
    return told.err


def test_without_a_token(hub, folder, capsys, monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    assert refused(hub, folder, capsys) == (
        "starbank push: there is no token for the Hugging Face Hub\n"
        "Run `hf auth login`, or set HF_TOKEN to a token that may write (https://huggingface.co/settings/tokens).\n"
    )
    assert hub.calls == []


def test_with_a_token_that_is_not_valid(hub, folder, capsys, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_revoked")
    assert "the Hub does not accept the token" in refused(hub, folder, capsys)


def test_with_a_token_that_may_only_read(hub, folder, capsys, monkeypatch):
    push(folder, REPOSITORY)
    (folder / "LICENSE").write_text("other")
    monkeypatch.setenv("HF_TOKEN", "hf_ana_reads")
    assert "starbank push: the token may only read\n" in refused(hub, folder, capsys)


def test_without_rights(hub, folder, capsys, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_bob")
    told = refused(hub, folder, capsys)
    assert "starbank push: the account bob may not write to lab/georgian\n" in told
    assert "The account belongs to: bob. Name a repository there" in told


def test_where_the_name_is_taken(hub, folder, capsys):
    push(folder, "lab/Georgian")
    assert "the name lab/georgian is taken by a repository that this account does not see" in refused(
        hub, folder, capsys
    )


def test_where_the_repository_is_gated(hub, folder, capsys, monkeypatch):
    push(folder, REPOSITORY)
    hub.repositories[REPOSITORY].gated = True
    (folder / "LICENSE").write_text("other")
    monkeypatch.setenv("HF_TOKEN", "hf_bob")
    assert "lab/georgian is gated, and this account has no access" in refused(hub, folder, capsys)


def test_offline(hub, folder, capsys, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert "HF_HUB_OFFLINE is set, so the Hub is not asked" in refused(hub, folder, capsys)


def test_where_the_name_can_be_no_name(hub, folder):
    with pytest.raises(HubError, match="'lab/a/b' cannot name a repository"):
        push(folder, "lab/a/b")


def test_a_card_that_the_hub_does_not_accept(hub, folder):
    (folder / "README.md").write_text("---\nlicense: [\n---\n")
    with pytest.raises(HubError, match="the Hub refused lab/georgian"):
        push(folder, REPOSITORY)
    assert hub.files(REPOSITORY) == {}


def test_when_somebody_else_pushes_at_the_same_time(hub, folder, suites):
    push(folder, REPOSITORY)
    before = hub.files(REPOSITORY)
    change(folder, suites)
    repository = hub.repositories[REPOSITORY]

    def intervene():
        hub.on_commit = None
        hub._commit(repository, "main", repository.branches["main"], "theirs", repository.find("main").tree)

    hub.on_commit = intervene
    with pytest.raises(HubError, match="somebody else has pushed to lab/georgian at the same time"):
        push(folder, REPOSITORY)
    assert repository.log()[0] == "theirs"
    assert hub.files(REPOSITORY) == before
