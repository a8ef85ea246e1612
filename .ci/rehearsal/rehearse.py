"""Rehearses a release; `.ci/rehearse` says how."""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from ruamel.yaml import YAML

import archives
import installs
from runner import Run
from servers import PROJECT, TOKEN, serve

ROOT = Path(__file__).resolve().parent.parent.parent


def load(path):
    return YAML(typ="safe").load(path)


def environment(url, authorities, directory, program):
    """What a runner of this forge sets, and where the registries are."""
    bundles = ("SSL_CERT_FILE", "GIT_SSL_CAINFO", "CURL_CA_BUNDLE", "PIP_CERT", "CARGO_HTTP_CAINFO", "NODE_EXTRA_CA_CERTS", "npm_config_cafile")
    homes = {name: os.environ.get(name, Path.home() / place) for name, place in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup"))}
    return {
        "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": url, "GITHUB_API_URL": f"{url}/api/v3",
        "GITHUB_REPOSITORY": PROJECT, "GITHUB_REF": "refs/heads/main", "GITHUB_REF_NAME": "main", "GITHUB_ACTOR": "Harbor",
        "GITHUB_EVENT_NAME": "workflow_dispatch", "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", **homes, **dict.fromkeys(bundles, authorities),
        "ACTIONS_ID_TOKEN_REQUEST_URL": f"{url}/token?of=job", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": TOKEN,
        "UV_PUBLISH_URL": f"{url}/legacy/", "UV_PUBLISH_CHECK_URL": f"{url}/simple/", "UV_CACHE_DIR": directory / "uv",
        "npm_config_registry": f"{url}/npm/", "npm_config_cache": directory / "npm",
        "CARGO_REGISTRIES_REHEARSAL_INDEX": f"sparse+{url}/index/",
        "REHEARSED_PROGRAM": program, "REHEARSED_IMAGES": directory / "images",
    }


def origin(directory):
    """The repository on the forge: this commit, with what is not committed yet."""
    bare = directory / f"{PROJECT}.git"
    git = ["git", "-c", "user.name=Ida", "-c", "user.email=ida@harbor.example"]
    work = subprocess.run([*git, "-C", ROOT, "stash", "create"], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run([*git, "init", "--quiet", "--bare", "--initial-branch", "main", bare], check=True)
    subprocess.run([*git, "-C", ROOT, "push", "--quiet", bare, f"{work or 'HEAD'}:refs/heads/main"], check=True)
    subprocess.run([*git, "-C", bare, "config", "http.receivepack", "true"], check=True)


def check_published(world, run, version):
    """What every release must leave behind."""
    release, = world.releases.values()
    names = set(release["files"])
    expected = {f"tidings-{target}{end}" for target in archives.TARGETS for end in (".tar.gz", ".tar.gz.sha256", ".cdx.json")}
    expected |= {"tidings.rb", "scoop.json", "PKGBUILD", "harbor.tidings.yaml", "harbor.tidings.installer.yaml",
                 "harbor.tidings.locale.en-US.yaml", "tidings-x86_64-pc-windows-msvc.zip"}
    assert expected <= names, f"missing: {sorted(expected - names)}"
    for end in (".deb", ".rpm", ".apk", ".pkg.tar.zst"):
        assert sum(name.endswith(end) for name in names) == 2, f"two packages {end}: {sorted(names)}"
    assert not release["draft"] and release["body"], "it is published, with notes"
    order = [line.split()[-1] for line in world.order if line.startswith("npm")]
    assert len(order) == 6 and order[-1] == "tidings-cli", f"the package that asks for the others comes last: {order}"
    assert [name for _, name in world.crates] == [version] and len(world.files) == len(archives.TARGETS) + 1, (world.crates, list(world.files))
    git = ["git", "-C", world.directory / f"{PROJECT}.git", "rev-parse"]
    moved, tag = (subprocess.run([*git, f"{name}^{{}}"], check=True, capture_output=True, text=True).stdout for name in (f"v{version.split('.')[0]}", f"v{version}"))
    assert moved == tag, "the tag of the major version is on the release"
    run.say(f"published: {len(names)} files, a crate, {len(world.files)} files for Python, {len(order)} npm packages, the image, v{version.split('.')[0]}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--program", type=Path, default=ROOT / "target/debug/tidings")
    options.add_argument("--archives", type=Path)
    options.add_argument("--quick", action="store_true")
    given = options.parse_args()
    program = given.program.resolve()
    if not os.access(program, os.X_OK):
        sys.exit(f"{program} does not exist: build it, or name another one with --program")
    directory = ROOT / "target/rehearsal"
    shutil.rmtree(directory, ignore_errors=True)
    (directory / "harbor").mkdir(parents=True)
    shutil.copytree(Path(__file__).parent / "programs", directory / "programs")
    origin(directory)
    world, url, authorities = serve(directory)
    settings = environment(url, authorities, directory, program)
    made = archives.prepare(program, given.archives, directory / "archives")

    def prepare(job):
        """Replaces what compiles, in the work tree of a job."""
        if job.name == "build":
            shutil.copy(made / "package", job.tree / ".ci/package")
        job.env["TIDINGS"] = program

    workflow = load(ROOT / ".github/workflows/release.yml")
    leave_out = ["site"] if given.quick else []
    with open(directory / "log", "w") as log:
        run = Run(workflow, directory, settings, {"version": ""}, log, load, prepare)
        run.say("A release:")
        results = run.execute(leave_out)
        version = run.results["plan"]["outputs"]["version"]
        good = [name for name, result in results.items() if result == "success"]
        assert set(good) | set(leave_out) == set(results), f"{results}; {directory}/log says why"
        check_published(world, run, version)
        run.say("The registries again, by the input `version`:")
        again = Run(workflow, directory, settings, {"version": version}, log, load, prepare)
        shutil.rmtree(directory / "images")
        results = again.execute(leave_out)
        assert {name for name, result in results.items() if result == "success"} >= {"plan", "crate", "python", "npm", "image", "images"}, results
        check_published(world, again, version)
        run.say("As strangers:")
        installs.walk(run, world, url, version, directory / "strangers")
    print(f"The rehearsal is green; {directory.relative_to(ROOT)}/log has what was printed.")


main()
