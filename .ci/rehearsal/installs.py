"""Installs what a rehearsal has published, each way into an empty place, and runs it from there with an empty environment."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ruamel.yaml import YAML

from runner import Job
from servers import PROJECT


# What the README's first screen says to each kind of user, and what a command prints of it.
COMMANDS = {
    "feat: add a crane": (("show", "### Added"), ("next", "0.1.0"), ("release", "release 0.1.0 of main as v0.1.0")),
    "Add a crane\n\nChangelog: added": (("show 1.2.0", "## 1.2.0 ("), ("add 1.2.0", "1.2.0"), ("check", "")),
}


class Machine:
    """A machine on which nothing was done yet: directories, and no variable but the ones that are named."""

    def __init__(self, run, place):
        self.run, self.place = run, place
        place.mkdir(parents=True)
        self.repository = place / "repository"
        git = ["git", "-C", self.repository, "-c", "user.name=Ida", "-c", "user.email=ida@harbor.example"]
        self.command(["git", "init", "-q", "-b", "main", self.repository])
        self.command([*git, "commit", "-q", "--allow-empty", "-m", "feat: add a crane"])

    def command(self, words, env=None, where=None):
        clean = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.place), "GIT_CONFIG_NOSYSTEM": "1", **(env or {})}
        done = subprocess.run([str(word) for word in words], env={key: str(value) for key, value in clean.items()}, cwd=where or self.place,
                              stdout=subprocess.PIPE, stderr=self.run.log, text=True, check=False)
        assert done.returncode == 0, f"{words} ended with {done.returncode}; the log says why"
        return done.stdout

    def shows(self, what, words, env=None):
        """Whether a program prints a section, from an empty directory."""
        empty = self.place / "empty"
        empty.mkdir(exist_ok=True)
        section = self.command([*words, "--repo", self.repository, "show"], env, empty)
        assert "Add a crane" in section or "add a crane" in section, f"{what} printed {section!r}"
        for message, commands in COMMANDS.items():
            work = self.clone(message)
            for words_of_command, expected in commands:
                said = self.command([*words, *words_of_command.split()], env, work)
                assert expected in said, f"{what}: tidings {words_of_command} printed {said!r}"
            if "Changelog:" in message:
                assert "## 1.2.0" in self.command(["git", "show", "HEAD:CHANGELOG.md"], where=work), f"{what}: committed"
        self.run.say(f"  {what}: prints a section, and does the README's six commands")

    def clone(self, message):
        """A clone of a remote, with a commit of this message and an author."""
        place = Path(tempfile.mkdtemp(dir=self.place))
        remote, work = place / "kites.git", place / "work"
        self.command(["git", "init", "-q", "--bare", "-b", "main", remote])
        self.command(["git", "init", "-q", "-b", "main", work])
        for words in (["config", "user.name", "Ida"], ["config", "user.email", "ida@harbor.example"], ["remote", "add", "origin", remote],
                      ["commit", "-q", "--allow-empty", "-m", message], ["push", "-q", "-u", "origin", "main"]):
            self.command(["git", "-C", work, *words])
        return work


def one(paths):
    path, = paths
    return path


def walk(run, world, url, version, place):
    """Every way of installing, one after the other."""
    machine, settings = Machine(run, place), run.environment
    files = next(iter(world.releases.values()))["files"]
    downloads = place / "downloads"
    downloads.mkdir()
    for name, data in files.items():
        (downloads / name).write_bytes(data)
    archive(machine, downloads, settings, f"{url}/{PROJECT}/releases/download/v{version}")
    linux(machine, downloads)
    python(machine, settings, url, version, world)
    npm(machine, settings, version)
    image(machine, settings)
    action(run, machine)
    manifests(run, files, f"{url}/{PROJECT}/releases/download/v{version}", version)


def archive(machine, downloads, settings, address):
    """The lines of the page about installing: download, compare the digest, unpack."""
    name = "tidings-x86_64-unknown-linux-musl.tar.gz"
    for file in (name, f"{name}.sha256"):
        machine.command(["curl", "--fail", "--silent", "--show-error", "--location", "--remote-name", f"{address}/{file}"],
                        {"CURL_CA_BUNDLE": settings["CURL_CA_BUNDLE"]})
    machine.command(["sha256sum", "--check", "--quiet", f"{name}.sha256"])
    machine.command(["tar", "-xzf", name])
    machine.shows("archive", [machine.place / name.removesuffix(".tar.gz") / "tidings"])


def linux(machine, downloads):
    deb = one(downloads.glob("*amd64.deb"))
    if not shutil.which("dpkg-deb"):
        machine.run.say("  deb: not tried, dpkg-deb is not on this machine")
    else:
        fields = machine.command(["dpkg-deb", "--field", deb])
        for field in ("Section: devel", f"Homepage: {machine.run.environment['GITHUB_SERVER_URL']}/{PROJECT}", "Maintainer: harbor <harbor@users"):
            assert field in fields, f"{field}: {fields}"
        machine.command(["dpkg-deb", "-x", deb, machine.place / "deb"])
        for file in ("doc/tidings/copyright", "doc/tidings/changelog.gz", "man/man1/tidings.1.gz", "bash-completion/completions/tidings"):
            assert (machine.place / "deb/usr/share" / file).exists(), file
        machine.shows("deb", [machine.place / "deb/usr/bin/tidings"])
    if not (shutil.which("rpm2cpio") and shutil.which("cpio")):
        machine.run.say("  rpm: not tried, rpm2cpio and cpio are not on this machine")
    else:
        rpm = one(downloads.glob("*x86_64.rpm"))
        (machine.place / "rpm").mkdir()
        machine.command(["sh", "-c", f"rpm2cpio '{rpm}' | cpio -idm --quiet"], where=machine.place / "rpm")
        machine.shows("rpm", [machine.place / "rpm/usr/bin/tidings"])
    (machine.place / "apk").mkdir()
    # An apk is several compressed parts one after the other.
    machine.command(["tar", "-xzf", one(downloads.glob("*x86_64.apk")), "--warning=no-unknown-keyword", "--ignore-zeros"], where=machine.place / "apk")
    machine.shows("apk", [machine.place / "apk/usr/bin/tidings"])


def python(machine, settings, url, version, world):
    machine.command([sys.executable, "-m", "venv", machine.place / "python"])
    pip = [machine.place / "python/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    machine.command([*pip, "--index-url", f"{url}/simple/", f"tidings=={version}"], {"PIP_CERT": settings["PIP_CERT"]})
    machine.shows("wheel from the registry", [machine.place / "python/bin/tidings"])
    files = machine.place / "python-files"
    files.mkdir()
    for name, data in world.files.items():
        (files / name).write_bytes(data)
    machine.command([*pip, "--force-reinstall", "--no-index", "--find-links", files, "tidings"])
    machine.shows("wheel from its file", [machine.place / "python/bin/tidings"])
    said = machine.command([Path(sys.executable).parent / "twine", "check", "--strict", *files.iterdir()])
    assert said.count("PASSED") == len(world.files), said
    source = one(files.glob("*.tar.gz"))
    names = machine.command(["tar", "-tzf", source]).splitlines()
    for wanted in ("Cargo.toml", "Cargo.lock", "src/main.rs", "pyproject.toml", "LICENSE-MIT", "PKG-INFO"):
        assert f"tidings-{version}/{wanted}" in names, f"the source has no {wanted}"
    machine.run.say(f"  twine: {len(world.files)} files PASSED; the source is whole")


def npm(machine, settings, version):
    if not shutil.which("npm"):
        return machine.run.say("  npm: not on this machine")
    env = {name: settings[name] for name in ("npm_config_registry", "npm_config_cafile")}
    env["PATH"] = f"{Path(shutil.which('node')).parent}:{Path(shutil.which('npm')).parent}:/usr/bin:/bin"
    machine.command(["npm", "install", "--global", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", machine.place / "npm", f"tidings-cli@{version}"], env)
    machine.shows("npm", [machine.place / "npm/bin/tidings"], env)


def image(machine, settings):
    images = settings["REHEARSED_IMAGES"]
    root = one(path for path in images.iterdir() if path.name.endswith("-amd64"))
    program = (root / "usr/local/bin/tidings").readlink()
    inside = root / str(program).strip("/")
    machine.shows("image: what it adds to its base", [inside])
    dynamic = subprocess.run(["file", "-L", inside], capture_output=True, text=True, check=False).stdout
    if "static" in dynamic and subprocess.run(["id", "-u"], capture_output=True, text=True, check=True).stdout.strip() == "0":
        said = machine.command(["chroot", root, "/usr/local/bin/tidings", "--version"])
        machine.run.say(f"  image: in an empty root: {said.strip()}")


def action(run, machine):
    """The action at the released tag installs the released binary by the digest in it."""
    job = Job(run, "stranger", {})
    tag = next(iter(run.results["plan"]["outputs"].values()))
    job.all_steps([{"uses": "actions/checkout@v0", "with": {"ref": f"v{tag}", "fetch-depth": "0"}},
                   {"uses": "./", "id": "notes", "with": {"command": "notes", "version": tag}}])
    made = job.place / "temporary/tidings" / tag / "bin/tidings"
    assert made.exists() and job.steps["notes"]["outputs"]["notes"], "the action installed the release"
    machine.shows("action: the released binary, by the digest in the tag", [made])
    installed = hashlib.sha256((machine.place / "tidings-x86_64-unknown-linux-musl.tar.gz").read_bytes()).hexdigest()
    assert installed in run.attested, "the archive is attested"
    component = (job.tree / "templates/changelog/template.yml").read_text()
    assert installed in component and "OWNER" not in component, "the component names the archive"


def manifests(run, files, address, version):
    """The form of what other package managers take, and that every file they name is there and has that digest."""
    texts = {name: data.decode() for name, data in files.items() if name.endswith((".rb", ".yaml", ".json", "PKGBUILD")) and not name.endswith("cdx.json")}
    digests = {hashlib.sha256(data).hexdigest() for data in files.values()}
    for name, text in texts.items():
        assert "OWNER" not in text and "$page" not in text and "None" not in text, f"{name} has a placeholder"
        for named in re.findall(re.escape(address) + r"/([^\"'\s]+)", text):
            assert named in files, f"{name} names {named}"
        for digest in re.findall(r"\b[0-9a-f]{64}\b", text):
            assert digest in digests, f"{name} has a wrong digest"
        assert version in text, name
    kinds = {}
    for name in (name for name in texts if name.endswith(".yaml")):
        about = YAML(typ="safe").load(texts[name])
        kinds[about["ManifestType"]] = about
        assert (about["PackageIdentifier"], about["PackageVersion"], about["ManifestVersion"]) == ("harbor.tidings", version, "1.10.0")
    assert set(kinds) == {"version", "installer", "defaultLocale"}, "winget takes three manifests, and no singleton"
    assert kinds["version"]["DefaultLocale"] == kinds["defaultLocale"]["PackageLocale"]
    scoop = json.loads(texts["scoop.json"])
    assert scoop["architecture"]["64bit"]["extract_dir"] and scoop["bin"] == "tidings.exe"
    subprocess.run(["bash", "-n"], input=texts["PKGBUILD"], text=True, check=True)
    formula = texts["tidings.rb"]
    assert formula.count("sha256 ") == 4 and formula.count(" do\n") + formula.count("def ") + 1 == len(re.findall(r"^\s*end$", formula, re.M))
    run.say(f"  manifests: {', '.join(sorted(texts))}: every file they name is there")
