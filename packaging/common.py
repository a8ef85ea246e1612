"""What the scripts of this directory share: the archives of `.ci/package`, and the version of the program in them."""

import json
import os
import re
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = "Changelogs, versions and releases from the commits of a git repository"
LICENCE = "MIT OR Apache-2.0"
KEYWORDS = ["changelog", "release", "git", "conventional-commits", "gitlab"]
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))


def version():
    """The version that Cargo.toml names."""
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]


def home():
    """The page of the project, which `.ci/pin` writes down when a release is made; None before."""
    lines = (ROOT / ".ci/action/released.txt").read_text().splitlines()
    pinned = dict(line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return f"{pinned['server']}/{pinned['repository']}" if "repository" in pinned else None


def archives(directory):
    """The archives of a directory, by target."""
    found = sorted(Path(directory).glob("tidings-*.tar.gz"))
    return {path.name.removeprefix("tidings-").removesuffix(".tar.gz"): path for path in found}


def files(archive, *names):
    """The contents of these files of an archive; the program is `tidings`, on every system."""
    with tarfile.open(archive) as packed:
        top = packed.getnames()[0].split("/")[0]
        known = {name.removeprefix(top + "/"): name for name in packed.getnames()}
        read = lambda name: packed.extractfile(known.get(name) or known[name + ".exe"]).read()
        return [read(name) for name in names]


def readme(archive):
    """The README of an archive, for a page on which its relative links lead nowhere: they lead to the release instead."""
    text, = files(archive, "README.md")
    if not home():
        return text
    pages = f"{home()}/blob/v{version()}"
    return re.sub(r"\]\((?!https?:)", f"]({pages}/", text.decode()).encode()


def dump(value):
    return json.dumps(value, indent=2) + "\n"
