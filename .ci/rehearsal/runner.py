"""Runs the jobs of a workflow as GitHub's runner does: their own steps, in shells, each job in a work tree of its own.

Actions of others are replaced by what they do for a job, see `ACTIONS`. A step's program that would reach a registry or a
daemon is one of `programs`.
"""

import hashlib
import os
import shutil
import subprocess
from fnmatch import fnmatch

from expressions import expand, is_true
from servers import PROJECT, TOKEN


class Failed(Exception):
    """A step that failed."""


class Job:
    """A job in a directory of its own, and what its steps have left."""

    def __init__(self, run, name, matrix):
        self.run, self.name, self.matrix = run, name, matrix
        self.label = name + (f" ({next(iter(matrix.values()))})" if matrix else "")
        self.place = run.directory / "jobs" / self.label.replace(" ", "-").strip("()")
        self.tree = self.place / "tree"
        self.tree.mkdir(parents=True)
        self.steps, self.path, self.env = {}, [], {}
        for name in ("home", "temporary"):
            (self.place / name).mkdir()

    def contexts(self, more=None):
        github = {"token": TOKEN, "repository": PROJECT, "action_repository": "", "ref_name": "main", "event_name": "workflow_dispatch"}
        return {"inputs": self.run.inputs, "needs": self.run.needs, "matrix": self.matrix, "steps": self.steps, "github": github,
                **(more or {})}

    def environment(self, env):
        files = {f"GITHUB_{name}": self.place / name for name in ("OUTPUT", "ENV", "PATH", "STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        kept = {name: os.environ[name] for name in ("LANG", "TIDINGS_TOOLS", "PIP_FIND_LINKS") if name in os.environ}
        path = [*self.path, self.run.directory / "programs", *os.environ["PATH"].split(":")]
        return {**kept, **self.run.environment, **self.env, "HOME": self.place / "home", "RUNNER_TEMP": self.place / "temporary",
                "GITHUB_WORKSPACE": self.tree, "GITHUB_JOB": self.name, "PATH": ":".join(map(str, path)), **files,
                **{key: value for key, value in env.items() if key not in self.run.environment}}

    def shell(self, script, env, shell=None):
        """Runs a script, and takes over what it writes for the runner."""
        # As GitHub starts a shell that is named, and the one that is not.
        flags = ["-eo", "pipefail"] if shell == "bash" else ["-e"]
        env = self.environment(env)
        done = subprocess.run(["bash", "--noprofile", "--norc", *flags, "-c", script], cwd=self.tree,
                              env={key: str(value) for key, value in env.items()}, stdin=subprocess.DEVNULL,
                              stdout=self.run.log, stderr=subprocess.STDOUT, check=False)
        self.path += [line for line in env["GITHUB_PATH"].read_text().splitlines() if line]
        if done.returncode:
            raise Failed(f"exit code {done.returncode}")
        return outputs(env["GITHUB_OUTPUT"].read_text())

    def execute(self, step):
        """Runs a step, and returns its outputs."""
        contexts = self.contexts()
        env = expand(step.get("env", {}), contexts)
        if "run" in step:
            return self.shell(expand(step["run"], contexts), env, step.get("shell"))
        given = expand(step.get("with", {}), contexts)
        used = step["uses"].split("@")[0]
        return composite(self, given) if used == "./" else ACTIONS[used](self, given) or {}

    def all_steps(self, steps):
        for step in steps:
            if is_true(step.get("if"), self.contexts(), "success"):
                self.run.say(f"  {title(step)}")
                self.steps[step.get("id", object())] = {"outputs": self.execute(step)}
                if used_action(step) == "actions/checkout":
                    self.run.prepare(self)


def title(step):
    """The name of a step in the log."""
    return step.get("name") or used_action(step) or step["run"].strip().splitlines()[0]


def used_action(step):
    return step.get("uses", "").split("@")[0]


def outputs(text):
    """The outputs of a step, each on one line or up to a delimiter of its own."""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        name, sign, delimiter = line.partition("<<")
        if not sign or "=" in name:
            name, _, value = line.partition("=")
            found[name] = value
            continue
        value = []
        for line in lines:
            if line == delimiter:
                break
            value.append(line)
        found[name] = "\n".join(value)
    return found


def composite(job, given):
    """The project's own action, from the job's work tree."""
    action = job.run.load(job.tree / "action.yml")
    unknown = set(given) - set(action["inputs"])
    assert not unknown, f"the action has no input {unknown}"
    inputs = {name: about.get("default", "") for name, about in action["inputs"].items()} | given
    steps = {}
    for step in action["runs"]["steps"]:
        env = {"GITHUB_ACTION_PATH": job.tree, **expand(step.get("env", {}), job.contexts({"inputs": inputs, "steps": steps}))}
        steps[step.get("id", object())] = {"outputs": job.shell(step["run"], env, step["shell"])}
    return expand({name: about["value"] for name, about in action["outputs"].items()}, job.contexts({"steps": steps}))


def git(job, *words):
    env = {key: str(value) for key, value in job.environment({}).items()}
    return subprocess.run(["git", *words], cwd=job.tree, env=env, stdout=subprocess.PIPE, stderr=job.run.log, check=True).stdout.decode().strip()


def checkout(job, given):
    """Fetches what the action does for a branch, or for a ref that is named."""
    wanted = given.get("ref", "main")
    git(job, "init", "--quiet")
    git(job, "remote", "add", "origin", f"{job.run.environment['GITHUB_SERVER_URL']}/{PROJECT}.git")
    if str(given.get("fetch-depth", 1)) == "0":
        git(job, "fetch", "--prune", "origin", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
    kind = "tags" if git(job, "ls-remote", "origin", f"refs/tags/{wanted}") else "heads"
    own = f"refs/tags/{wanted}" if kind == "tags" else f"refs/remotes/origin/{wanted}"
    git(job, "fetch", "--no-tags", "--depth=1" if str(given.get("fetch-depth", 1)) != "0" else "--prune", "origin", f"+refs/{kind}/{wanted}:{own}")
    git(job, "checkout", "--quiet", "--force", *([own] if kind == "tags" else ["-B", wanted, own]))


def files(job, patterns):
    """The files that the patterns of an input match; each must match one."""
    found = []
    for pattern in patterns.split():
        matching = [path for path in sorted(job.tree.rglob("*")) if path.is_file() and fnmatch(path.relative_to(job.tree).as_posix(), pattern)]
        if not matching:
            raise Failed(f"no file matches {pattern}")
        found += matching
    return found


def upload(job, given):
    place = job.run.directory / "artifacts" / given["name"]
    shutil.copytree(job.tree / given["path"], place, dirs_exist_ok=True)
    if not any(place.iterdir()):
        raise Failed(f"{given['path']} has no file")


def download(job, given):
    for artifact in sorted((job.run.directory / "artifacts").iterdir()):
        shutil.copytree(artifact, job.tree / given["path"], dirs_exist_ok=True)


def attest(job, given):
    if "subject-digest" in given:
        if not given["subject-digest"].startswith("sha256:") or not given["subject-name"]:
            raise Failed("an image is attested by its name and its digest")
        return
    job.run.attested |= {hashlib.sha256(path.read_bytes()).hexdigest() for path in files(job, given["subject-path"])}


def upload_site(job, given):
    if not (job.tree / given["path"] / "index.html").exists():
        raise Failed("the site has no first page")
    shutil.copytree(job.tree / given["path"], job.run.directory / "pages", dirs_exist_ok=True)


def set_up_node(job, given):
    job.env["NODE_AUTH_TOKEN"] = "of-nobody"
    rc, registry = job.place / "npmrc", job.run.environment["npm_config_registry"]
    rc.write_text(f"{registry.removeprefix('https:')}:_authToken=${{NODE_AUTH_TOKEN}}\nregistry={registry}\n")
    job.env["NPM_CONFIG_USERCONFIG"] = rc


ACTIONS = {
    "actions/checkout": checkout,
    "actions/upload-artifact": upload,
    "actions/download-artifact": download,
    "actions/attest-build-provenance": attest,
    "actions/setup-node": set_up_node,
    "actions/upload-pages-artifact": upload_site,
    "actions/deploy-pages": lambda job, _: {"page_url": "https://harbor.example" if (job.run.directory / "pages").exists() else ""},
    "rust-lang/crates-io-auth-action": lambda *_: {"token": TOKEN},
}


class Run:
    """A run of the workflow."""

    def __init__(self, workflow, directory, environment, inputs, log, load, prepare):
        self.workflow, self.directory, self.environment, self.inputs = workflow, directory, environment, inputs
        self.log, self.load, self.prepare = log, load, prepare
        self.needs, self.results, self.attested = {}, {}, set()
        for name in ("jobs", "artifacts", "pages"):
            shutil.rmtree(directory / name, ignore_errors=True)

    def say(self, text):
        print(text, flush=True)
        self.log.write(f"{text}\n")
        self.log.flush()

    def execute(self, leave_out=()):
        """Runs every job after those that it needs. Returns the result of each."""
        for name, job in self.workflow["jobs"].items():
            needs = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
            assert all(need in self.results for need in needs), f"{name} comes after what it needs"
            self.needs = {need: self.results[need] for need in needs}
            went_well = all(need["result"] == "success" for need in self.needs.values())
            status = "success" if went_well else "skipped"
            if name in leave_out or not is_true(job.get("if"), {"inputs": self.inputs, "needs": self.needs}, status):
                self.say(f"{name}: {'left out here' if name in leave_out else 'skipped'}")
                self.results[name] = {"result": "skipped", "outputs": {}}
                continue
            self.results[name] = self.one(name, job)
        return {name: result["result"] for name, result in self.results.items()}

    def one(self, name, about):
        result = {"result": "success", "outputs": {}}
        for matrix in about.get("strategy", {}).get("matrix", {}).get("include", [{}]):
            job = Job(self, name, matrix)
            self.say(f"{job.label}:")
            try:
                job.env = expand(about.get("env", {}), job.contexts())
                job.all_steps(about["steps"])
                result["outputs"] |= expand(about.get("outputs", {}), job.contexts())
            except Failed as error:
                self.say(f"  FAILED: {error}")
                result["result"] = "failure"
        return result
