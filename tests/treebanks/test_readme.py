"""Licences as UD states them, and the machine-readable part of a README."""

import pytest

from starbank.treebanks.readme import licence_in, licence_of, read_metadata


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ("CC BY-SA 4.0", "CC-BY-SA-4.0"),
        ("CC BY-NC-SA 3.0", "CC-BY-NC-SA-3.0"),
        ("CC BY 4.0", "CC-BY-4.0"),
        ("CC BY-NC-ND 4.0", "CC-BY-NC-ND-4.0"),
        ("CC0 1.0", "CC0-1.0"),
        ("GNU GPL 3.0", "GPL-3.0-only"),
        ("GNU GPL 2.0 or later", "GPL-2.0-or-later"),
        ("LGPL-LR", "LGPLLR"),
        ("our own licence", "our own licence"),
        (None, None),
    ],
)
def test_licences_get_their_spdx_names(stated, name):
    assert licence_of(stated) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "Attribution-ShareAlike 4.0 International\n\n=====\n\nCreative Commons Corporation is not a law firm",
            "CC-BY-SA-4.0",
        ),
        ("licensed under the Creative Commons Attribution-NonCommercial-\nShareAlike 3.0 Unported", "CC-BY-NC-SA-3.0"),
        ("https://creativecommons.org/licenses/by-sa/3.0/", "CC-BY-SA-3.0"),
        ("The data are CC BY 4.0.", "CC-BY-4.0"),
        ("Texts are CC BY 4.0, annotation is CC BY-SA 4.0.", None),
        ("All rights reserved.", None),
    ],
)
def test_without_a_readme_the_licence_is_the_one_that_its_text_names(text, name):
    assert licence_in(text) == name


def test_a_readme_without_metadata(tmp_path):
    (tmp_path / "README.md").write_text("# Summary\nLicense: no\n")
    assert read_metadata(tmp_path / "README.md") == {}
    assert read_metadata(None) == {}


def test_every_real_readme_states_a_licence(real_treebank):
    readme = real_treebank / "README.md"
    if not readme.exists():
        pytest.skip("this treebank has no README here")
    assert licence_of(read_metadata(readme)["License"]).startswith("CC-BY-")
