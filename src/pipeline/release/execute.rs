//! The execution of plans: commit, tag, push and publish, from where an earlier run stopped, and the hooks around them.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::Context as _;

use super::{
    ForgeCommitter, StepState,
    edits::{self, FileEdits},
    plan::{ReleasePlan, ReleaseReport, StepStates, commit_request, joint_message},
};
use crate::{
    api::releases::{PublishOutcome, PublishedRelease},
    git::{
        self, Repo,
        commit::{self, CommitResult},
        merge_base, revision,
        tags::{self, NewTag, Tag},
    },
    interrupt,
    model::{Forge, Oid, Problem},
};

#[derive(Debug)]
pub(crate) enum ReleaseEvent<'a> {
    Hook(&'a str),
    Committed(&'a CommitResult),
    /// The tag was created on this commit.
    Tagged(Oid),
    /// Something else created the tag on this commit.
    FoundTag(Oid),
    Pushing,
    /// The push succeeded, with this output of git and the remote.
    Pushed(&'a str),
    /// The forge release or one of its assets was created or changed.
    Published(&'a PublishedRelease),
}

/// The report of each plan, as far as it was executed, and the failure of a step or hook.
pub(crate) type ExecutionResult = (Vec<ReleaseReport>, Option<anyhow::Error>);

/// Executes plans of one branch that nothing blocks: one commit, a tag each, one atomic push. `committer` makes the
/// commit if the forge is to; `publish` publishes the release of the plan at an index; `on_event` receives the index of a plan and each step as soon as it is taken.
pub(crate) fn execute(
    repo: &Repo,
    plans: &[&ReleasePlan],
    committer: Option<&ForgeCommitter>,
    publish: &dyn Fn(usize) -> anyhow::Result<PublishedRelease>,
    on_event: &dyn Fn(usize, ReleaseEvent),
) -> ExecutionResult {
    let mut run =
        Run { repo, plans, committer, publish, on_event, reports: plans.iter().map(|plan| plan.report()).collect() };
    let failure = run.steps().err();
    (run.reports, failure)
}

/// Plans, and how far they were executed.
struct Run<'a> {
    repo: &'a Repo,
    plans: &'a [&'a ReleasePlan],
    committer: Option<&'a ForgeCommitter<'a>>,
    publish: &'a dyn Fn(usize) -> anyhow::Result<PublishedRelease>,
    on_event: &'a dyn Fn(usize, ReleaseEvent),
    reports: Vec<ReleaseReport>,
}

impl Run<'_> {
    /// Takes all steps, with the hooks around them.
    fn steps(&mut self) -> anyhow::Result<()> {
        self.hooks_before()?;
        self.check_tags_of_hooks()?;
        {
            // The first interrupt lets the current step finish; the second one does not.
            let _defer = interrupt::DeferInterrupt::new()?;
            self.commit()?;
            self.stop_if_interrupted("commit")?;
            self.tag()?;
            self.stop_if_interrupted("tag")?;
            self.push()?;
            self.stop_if_interrupted("push")?;
        }
        self.publish()?;
        self.hooks_after()
    }

    /// Returns the indexes of the plans in which a step is to be taken.
    fn planned_indexes(&self, step: fn(&StepStates) -> StepState) -> Vec<usize> {
        (0..self.plans.len()).filter(|index| step(&self.reports[*index].states).is_planned()).collect()
    }

    fn stop_if_interrupted(&self, step: &str) -> anyhow::Result<()> {
        if self.reports.iter().all(|report| report.states.are_finished()) || !interrupt::is_interrupted() {
            return Ok(());
        }
        let problem = Problem::new(format!("interrupted after the {step}"));
        Err(problem.hint("run the same command again to continue from there").into())
    }

    fn hooks_before(&self) -> anyhow::Result<()> {
        for (index, plan) in self.plans.iter().enumerate().filter(|(_, plan)| plan.states.write_here()) {
            for command in &plan.hooks.before {
                self.run_hook(index, command, None).with_context(|| {
                    Problem::new(format!("the hook `{command}` failed; {} is not released", plan.version))
                        .hint("nothing was written: fix the cause and run the same command again")
                })?;
            }
        }
        Ok(())
    }

    /// Refuses a tag that a hook has made before the commit of the release is there.
    fn check_tags_of_hooks(&self) -> anyhow::Result<()> {
        for index in self.planned_indexes(|states| states.tag) {
            let plan = self.plans[index];
            let is_asked = !plan.hooks.before.is_empty() && plan.states.commit.is_planned();
            let made = if is_asked { tags::find(self.repo, &plan.tag)? } else { None };
            if made.is_some_and(|tag| tag.commit == Some(plan.commit)) {
                return Err(Problem::new(format!("a hook has made the tag `{}`, which the release makes", plan.tag))
                    .hint(format!("nothing was written: take it out of the hook, and run `git tag -d {}`", plan.tag))
                    .into());
            }
        }
        Ok(())
    }

    /// Runs the hooks of the releases that this run completed; a later run does not run these hooks again.
    fn hooks_after(&self) -> anyhow::Result<()> {
        let mut left = (0..self.plans.len()).filter(|index| !self.plans[*index].states.are_finished());
        while let Some(index) = left.next() {
            let (plan, commit) = (self.plans[index], self.reports[index].commit);
            for (number, command) in plan.hooks.after.iter().enumerate() {
                self.run_hook(index, command, Some(commit)).with_context(|| {
                    let problem =
                        Problem::new(format!("{} is released, but the hook `{command}` failed", plan.version))
                            .hint(format!("run it by hand, {}", self.describe_hooks_left(index, number)));
                    let others = left.by_ref().filter(|index| !self.plans[*index].hooks.after.is_empty());
                    others.fold(problem, |problem, index| {
                        problem.hint(format!("then, {}", self.describe_hooks_left(index, 0)))
                    })
                })?;
            }
        }
        Ok(())
    }

    /// Runs a command with a release in its environment; its output goes to stderr.
    fn run_hook(&self, index: usize, command: &str, commit: Option<Oid>) -> anyhow::Result<()> {
        (self.on_event)(index, ReleaseEvent::Hook(command));
        let mut shell = shell(command, &self.plans[index].hooks.env);
        shell.stdin(Stdio::null()).stdout(io::stderr()).envs(environment(self.plans[index], commit));
        shell.current_dir(self.repo.work_tree().context("the repository has no work tree")?);
        let status = shell.status().with_context(|| format!("cannot run `{command}`"))?;
        if status.success() { Ok(()) } else { Err(Problem::new(status.to_string()).into()) }
    }

    /// Returns in words the environment and the commands after a release that are left to run.
    fn describe_hooks_left(&self, index: usize, first: usize) -> String {
        let plan = self.plans[index];
        let set = environment(plan, Some(self.reports[index].commit)).map(|(name, value)| format!("{name}={value}"));
        let commands = plan.hooks.after[first..].join("`, `");
        format!("with {} set: `{commands}`", set.collect::<Vec<_>>().join(" "))
    }

    fn commit(&mut self) -> anyhow::Result<()> {
        // A killed run may have made the commit and not have written the index.
        commit::settle(self.repo)?;
        let planned = self.planned_indexes(|states| states.commit);
        let plans: Vec<&ReleasePlan> = planned.iter().map(|index| self.plans[*index]).collect();
        let Some(first) = plans.first() else { return Ok(()) };
        let releases: Vec<&FileEdits> = plans.iter().map(|plan| &plan.edits).collect();
        let files = edits::files(&releases);
        let message = joint_message(&plans);
        let request = commit_request(&plans, &files, &message);
        let repo = self.repo;
        let mut has_moved = false;
        let mut edit = |path: &Path, old: &[u8]| {
            // The section lists the commits up to the planned tip. A later one would be released without an entry.
            has_moved = tip(repo, first)? != first.commit;
            if has_moved { Err(branch_moved(first).into()) } else { edits::edit(&releases, path, old) }
        };
        let made = match self.committer {
            Some(forge) => forge.commit(&request, &mut edit),
            None => commit::commit(repo, &request, &mut edit),
        };
        let (commit, state) = match made {
            Ok(Some(committed)) => {
                (self.on_event)(planned[0], ReleaseEvent::Committed(&committed));
                (committed.id, StepState::Done)
            }
            Ok(None) => (tip(repo, first)?, StepState::AlreadyDone),
            Err(_) if has_moved => (tip(repo, first)?, StepState::AlreadyDone),
            Err(error) => return Err(error),
        };
        if !is_release_commit(repo, commit, &plans)? {
            return Err(branch_moved(first).into());
        }
        for index in planned {
            self.reports[index].commit = commit;
            self.reports[index].states.commit = state;
        }
        Ok(())
    }

    fn tag(&mut self) -> anyhow::Result<()> {
        let repo = self.repo;
        for index in self.planned_indexes(|states| states.tag) {
            let (plan, report) = (self.plans[index], &mut self.reports[index]);
            if report.states.commit != StepState::Skipped && !plan.edits.are_in(repo, report.commit, &plan.version)? {
                return Err(branch_moved(plan).into());
            }
            let message = plan.notes.message();
            let new = NewTag { name: &plan.tag, commit: report.commit, message: &message, sign: plan.sign };
            if let Err(error) = tags::create(repo, &new) {
                // A hook of git may have created the tag when the commit was made, or another run has.
                let Some(found) = tags::find(repo, &plan.tag)? else { return Err(error) };
                if found.commit != Some(report.commit) {
                    return Err(tag_appeared(plan, found).into());
                }
                report.states.tag = StepState::AlreadyDone;
                (self.on_event)(index, ReleaseEvent::FoundTag(report.commit));
                continue;
            }
            report.states.tag = StepState::Done;
            (self.on_event)(index, ReleaseEvent::Tagged(report.commit));
        }
        Ok(())
    }

    fn push(&mut self) -> anyhow::Result<()> {
        let planned = self.planned_indexes(|states| states.push);
        let Some(first) = planned.first().copied() else { return Ok(()) };
        let upstream = self.plans[first].push.upstream.as_ref().context("nowhere to push to")?;
        // Each release may be on another commit of the branch; the branch is pushed once, up to the newest of them.
        let mut newest = self.reports[first].commit;
        for index in &planned {
            let commit = self.reports[*index].commit;
            newest = if merge_base::is_ancestor(self.repo, newest, commit)? { commit } else { newest };
        }
        let mut refspecs: Vec<String> = Vec::new();
        for refspec in planned.iter().flat_map(|index| self.plans[*index].refspecs(&newest.to_string())) {
            if !refspecs.contains(&refspec) {
                refspecs.push(refspec);
            }
        }
        (self.on_event)(first, ReleaseEvent::Pushing);
        let output = git::remote::push(self.repo, &upstream.remote, &refspecs)?;
        for index in planned {
            self.reports[index].states.push = StepState::Done;
        }
        (self.on_event)(first, ReleaseEvent::Pushed(&output));
        Ok(())
    }

    fn publish(&mut self) -> anyhow::Result<()> {
        for index in self.planned_indexes(|states| states.publish) {
            let published = (self.publish)(index)?;
            let report = &mut self.reports[index];
            let untouched = published.status == PublishOutcome::Unchanged
                && published.assets.iter().all(|asset| asset.status == PublishOutcome::Unchanged);
            report.states.publish = StepState::new(untouched);
            if !untouched {
                report.states.publish = StepState::Done;
                (self.on_event)(index, ReleaseEvent::Published(&published));
            }
            report.published = Some(published);
        }
        Ok(())
    }
}

fn tip(repo: &Repo, plan: &ReleasePlan) -> anyhow::Result<Oid> {
    Ok(commit::branch(repo, Some(&plan.branch))?.tip)
}

/// Whether a commit is what the plans ask for: made on the planned tip, with every section and version.
fn is_release_commit(repo: &Repo, commit: Oid, plans: &[&ReleasePlan]) -> anyhow::Result<bool> {
    for plan in plans {
        if revision::first_parent(repo, commit)? != Some(plan.commit)
            || !plan.edits.are_in(repo, commit, &plan.version)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn branch_moved(plan: &ReleasePlan) -> Problem {
    Problem::new(format!("`{}` moved while {} was being released", plan.branch, plan.version))
        .hint("run the command again to plan with the new state")
}

/// Returns the problem of a tag that was created elsewhere while the release was made.
fn tag_appeared(plan: &ReleasePlan, found: Tag) -> Problem {
    let (tag, at) = (&plan.tag, found.commit.unwrap_or(found.object).short());
    Problem::new(format!("the tag `{tag}` was made on {at} while {} was being released", plan.version))
        .hint("probably a hook of git made it, such as `pre-commit`: take that out of the hook")
        .hint(format!("then run `git tag -d {tag}`, and the same command again to continue from there"))
}

/// Returns the shell that runs a hook: a hook belongs to the repository, so of the tokens of this program it gets only
/// those in the variables that the configuration names.
fn shell(command: &str, passed: &[String]) -> Command {
    let mut shell = plain_shell(command);
    for name in Forge::token_variables().into_iter().filter(|name| !passed.iter().any(|passed| passed == name)) {
        shell.env_remove(name);
    }
    shell
}

/// Returns the shell that runs a command. The quotes in it are for cmd, which does not know those of other programs.
fn plain_shell(command: &str) -> Command {
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        let mut shell = Command::new("cmd");
        shell.args(["/S", "/C"]).raw_arg(format!("\"{command}\""));
        shell
    }
    #[cfg(not(windows))]
    {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command);
        shell
    }
}

/// Returns the environment of a hook; `commit` is the released one.
fn environment(plan: &ReleasePlan, commit: Option<Oid>) -> impl Iterator<Item = (&'static str, String)> {
    let always = [
        ("TIDINGS_VERSION", plan.version.to_string()),
        ("TIDINGS_TAG", plan.tag.clone()),
        ("TIDINGS_BRANCH", plan.branch.clone()),
    ];
    let package = plan.package.clone().map(|package| ("TIDINGS_PACKAGE", package));
    let commit = commit.map(|commit| ("TIDINGS_COMMIT", commit.to_string()));
    always.into_iter().chain(package).chain(commit)
}
