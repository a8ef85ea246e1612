"""The archives of a rehearsal: as `.ci/package` makes them, but nothing is compiled. That for this machine has a program
that was built before, the others have a few bytes in its place."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TARGETS = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl", "x86_64-apple-darwin", "aarch64-apple-darwin", "x86_64-pc-windows-msvc"]
PACKAGE = """#!/usr/bin/env bash
set -euo pipefail
cp "{made}"/tidings-"$1".* .
"""


def prepare(program, given, out):
    """Makes an archive for each target that has none in the directory `given`, and the script that a job finds in place of
    `.ci/package`. Returns their directory."""
    out.mkdir()
    (out / "package").write_text(PACKAGE.format(made=out))
    (out / "package").chmod(0o755)
    for target in TARGETS:
        name = f"tidings-{target}"
        if given and (given / f"{name}.tar.gz").exists():
            for file in given.glob(f"{name}.*"):
                shutil.copy(file, out)
            continue
        pack(program, out, name, ".exe" if "windows" in target else "")
    return out


def pack(program, out, name, suffix):
    stage = out / "stage" / name
    for part in ("man", "completions", "docs/how-to"):
        (stage / part).mkdir(parents=True)
    if name.endswith("x86_64-unknown-linux-musl"):
        shutil.copy(program, stage / "tidings")
    else:
        (stage / f"tidings{suffix}").write_text(f"A stand-in for the program in {name}.\n")
    for text in ("LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / text, stage)
    (stage / "THIRD-PARTY").write_text("In a rehearsal there are no notices of dependencies.\n")
    subprocess.run([program, "man", "--dir", stage / "man"], check=True)
    for shell in ("bash", "zsh", "fish", "elvish", "powershell"):
        with open(stage / "completions" / f"tidings.{shell}", "wb") as file:
            subprocess.run([program, "completions", shell], check=True, stdout=file)
    (out / f"{name}.cdx.json").write_text("{}\n")
    for archive in [f"{name}.tar.gz"] + ([f"{name}.zip"] if suffix else []):
        subprocess.run(["python3", ROOT / ".ci/archive.py", stage, out / archive], check=True, env={"SOURCE_DATE_EPOCH": "1709978400"})
        digest = subprocess.run(["sha256sum", out / archive], check=True, capture_output=True, text=True).stdout.split()[0]
        (out / f"{archive}.sha256").write_text(f"{digest}  {archive}\n")
    shutil.rmtree(stage.parent)
