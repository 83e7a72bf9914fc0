"""What the site has besides the pages of docs/: files of the repository that they link to, and the command line.

A link such as `../queries/eng/subject-verb-number.grew` works on GitHub and in a checkout; on the site it leads to a
page that shows the file. A link to what does not exist is left as it is, and fails the strict build.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from starbank.cli import build_parser

ROOT = Path(__file__).resolve().parent.parent
# Files that lie where GitHub looks for them, and the pages that they are.
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)[^)#\s]+")
# The beginning of code that is a file: ```yaml queries/eng/lexicon/nouns.yaml
CODE = re.compile(r"^(```\w+) ([^=\s]+)$", re.MULTILINE)
LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".py": "python", ".md": "markdown"}


def on_files(files: Files, config: Any) -> Files:
    """Add the pages at the root of the repository, those of files that pages link to, and the command line."""
    texts = {f"docs/{file.src_uri}": file.content_string for file in files.documentation_pages()}
    for name, page in PAGES.items():
        texts[name] = (ROOT / name).read_text("utf-8")
        if files.get_file_from_path(page) is None:
            files.append(File.generated(config, page, content=texts[name]))
    targets = {_target(name, link) for name, text in texts.items() for link in LINK.findall(text)}
    for target in sorted(target for target in targets if _place(target) == f"source/{target}.md"):
        files.append(File.generated(config, _place(target), content=_listing(target)))
    files.append(File.generated(config, "command-line.md", content=_command_line()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let links to files outside docs/ lead to their pages, and code that is a file have its name as title."""
    place = page.file.src_uri
    if place.startswith("source/"):
        return markdown
    origin = {page: name for name, page in PAGES.items() if page != "index.md"}.get(place, f"docs/{place}")
    titled = CODE.sub(r'\1 title="\2"', markdown)
    return LINK.sub(lambda link: _place(_target(origin, link[0])) or link[0], titled)


def _target(origin: str, link: str) -> str:
    """Return the path in the repository that a link in the file `origin` leads to."""
    return os.path.normpath(os.path.join(os.path.dirname(origin), link))


def _place(target: str) -> str:
    """Return the page of a file of the repository, or nothing where there is no such file."""
    if not (ROOT / target).is_file():
        return ""
    return PAGES.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else f"source/{target}.md")


def _listing(target: str) -> str:
    language = LANGUAGES.get(Path(target).suffix, "text")
    return f"# `{target}`\n\n````{language}\n{(ROOT / target).read_text('utf-8')}````\n"


def _command_line() -> str:
    """Return the page of all commands, each with what `--help` says."""
    os.environ["COLUMNS"] = "80"
    parts = ["# The command line", "What `starbank COMMAND --help` says, for every command."]
    for command in _commands(build_parser()):
        told, command.description = command.description, None
        parts.append(f"## {command.prog}\n\n{told}\n\n```text\n{command.format_help()}```")
    return "\n\n".join(parts) + "\n"


def _commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the commands of a command line, and those inside groups of commands."""
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not groups:
        yield parser
    for group in groups:
        for command in group.choices.values():
            yield from _commands(command)
