//! `tidings init`: writes a first configuration from what the repository shows, installs the commit-msg hook, or
//! prints the schema of the configuration.

use std::{
    fs,
    io::{self, BufRead, IsTerminal as _, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::{Session, session::variable};
use crate::{
    config::{self, EntrySource},
    document::Document,
    git::{self, Repo},
    interrupt::TemporaryFile,
    model::{Forge, JobServer, Problem, Project, TaggedCommit, Warning, none_if_missing, printable_message},
    pipeline::{CommitFiles, ConfigSource, LoadedConfig, entry_source},
    setup::{
        migration::{self, Migration},
        scaffold::{ConfigScaffold, TagScheme},
    },
    sources::change_files,
    template::BUILT_IN,
};

/// Create the configuration file, or install the commit-msg hook.
///
/// The file is commented and fits the history of the repository. In a terminal, the command asks about what it detected:
/// the source of entries, the categories, the naming of tags, and the version files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    /// Install the commit-msg hook that runs `tidings check --message` instead of writing a configuration.
    #[arg(long, conflicts_with = "schema")]
    hook: bool,
    /// Print the JSON schema of the configuration.
    #[arg(long)]
    schema: bool,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
    /// Accept all detected values without asking.
    #[arg(short, long)]
    yes: bool,
    /// Take over the configuration of git-cliff, cocogitto, standard-version, release-please, release-plz,
    /// semantic-release, lerna or goreleaser from this file, and list what has no counterpart; those of tools with change
    /// files are recognized anyway.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["schema", "hook"])]
    from: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  tidings init             ask, and write tidings.yml, or on GitLab
                           .gitlab/changelog_config.yml
  tidings init --yes       accept everything that is detected
  tidings init --from cliff.toml
                           take over the configuration of git-cliff
  tidings init --hook      check every message before it is committed
  tidings init --schema    print a schema for editors that complete YAML";

const HOOK: &str = "#!/bin/sh\n# Checks the message before it is committed; `git commit --no-verify` skips it.\n\
                    if ! command -v tidings >/dev/null 2>&1; then\n  \
                    echo 'commit-msg: tidings is not installed, so the message is not checked' >&2\n  exit 0\nfi\n\
                    exec tidings check --message \"$1\"\n";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    if args.schema {
        return Ok(session.out.write_all(config::schema().as_bytes())?);
    }
    let repo = session.repo()?;
    let path = if args.hook { write_hook(&repo, args)? } else { write_config(&repo, args, session)? };
    let shown = path.display();
    session.print_done(&serde_json::json!({ "written": shown.to_string() }), &format!("wrote {shown}"))
}

fn write_hook(repo: &Repo, args: &Args) -> anyhow::Result<PathBuf> {
    let path = strip_current_directory(git::hooks::directory(repo)?.join("commit-msg"));
    let common = git::hooks::root(repo);
    let roots = [repo.work_tree(), common.as_deref(), path.parent().filter(|_| common.is_none())];
    write(&path, HOOK, args.force, &roots)?;
    Ok(path)
}

fn write_config(repo: &Repo, args: &Args, session: &Session) -> anyhow::Result<PathBuf> {
    let root = repo.work_tree().ok_or_else(|| {
        Problem::new("a bare repository has no work tree to write a configuration into").hint("run it in a clone")
    })?;
    let there = config::PATHS.iter().map(|path| root.join(path)).find(|path| path.exists());
    let job = JobServer::from_environment(&variable);
    let project = git::remote::project(repo).map(|project| project.with_forge(None, job.as_ref()));
    let path = strip_current_directory(there.unwrap_or_else(|| root.join(usual_path(root, project.as_ref()))));
    let (mut scaffold, tags) = inspect(repo, project)?;
    let asked = args.from.as_deref().map(|file| (file, read_config(file, repo, root)));
    // What configures change files is recognized by itself.
    let asked = asked.filter(|(file, read)| read.is_ok() || !configures_change_files(repo, file));
    let other = asked.map(|(_, read)| read).transpose()?;
    let other = other.map(|(tool, migration)| (tool, scaffold.take_over(migration, &tags)));
    scaffold.reasons().iter().for_each(|reason| session.note(reason));
    match &other {
        Some((tool, disagreements)) => {
            session.note(&format!("took over the configuration of {tool}"));
            let lost = scaffold.losses().iter().map(|loss| format!("not taken over: {loss}"));
            for text in disagreements.iter().cloned().chain(lost) {
                session.note(&text);
            }
        }
        None => found_config(root).iter().for_each(|file| {
            session.note(&format!(
                "`{file}` is the configuration of another tool: `tidings init --from {file}` takes it over"
            ));
        }),
    }
    let files = changelog_files(repo, &scaffold);
    session.warn(&check_placement(repo, &mut scaffold, &files))?;
    // GitLab's configuration keeps GitLab's form.
    let is_of_gitlab = config::is_gitlab_path(&path.to_string_lossy());
    for (file, style) in styles(repo, &files).into_iter().filter(|_| !is_of_gitlab) {
        session.note(&format!("new sections take the style of `{file}`: {style}"));
        scaffold.leave_titles_to_file();
    }
    let stdin = io::stdin();
    if !args.yes && stdin.is_terminal() && session.messages.is_terminal() {
        // The file is checked before the first question, which would otherwise be answered in vain.
        if path.exists() && !args.force {
            return Err(already_exists(&path).into());
        }
        ask_user(&mut scaffold, &mut stdin.lock(), &mut anstream::stderr())?;
    }
    let text = scaffold.to_yaml();
    // What another tool reads may be too large for the file that is made of it, which every other command would refuse.
    config::parse(&text, &path.display().to_string())?;
    write(&path, &text, args.force, &[Some(root)])?;
    Ok(path)
}

/// Returns the file to write if there is none: that of GitLab, if the project is on GitLab. Other forges have mirrors of
/// projects on GitLab, so the directory of GitLab says where a project is only if no remote does.
fn usual_path(root: &Path, project: Option<&Project>) -> &'static str {
    let is_on_gitlab =
        project.map_or_else(|| root.join(".gitlab").is_dir(), |project| project.forge() == Forge::GitLab);
    config::PATHS[if is_on_gitlab { 3 } else { 0 }]
}

/// Returns the path without a leading `./`.
fn strip_current_directory(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}

/// Returns the changelog files of the configuration, else the usual one.
fn changelog_files(repo: &Repo, scaffold: &ConfigScaffold) -> Vec<String> {
    scaffold.changelog_files().unwrap_or_else(|| {
        let config = LoadedConfig::load(repo, &ConfigSource::default()).and_then(|config| config.changelog_file(repo));
        config.into_iter().collect()
    })
}

/// Returns the style of the entries in each file that shows one.
fn styles<'f>(repo: &Repo, files: &'f [String]) -> Vec<(&'f str, String)> {
    let style = |file: &'f String| {
        let there = git::file::in_work_tree(repo, file).ok()??;
        Some((file.as_str(), Document::parse(there).entry_style()?.describe()))
    };
    files.iter().filter_map(style).collect()
}

/// Warns of changelog files that would refuse a section, and proposes a heading if there is a single file.
fn check_placement(repo: &Repo, scaffold: &mut ConfigScaffold, files: &[String]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for file in files {
        let Ok(Some(there)) = git::file::in_work_tree(repo, file) else { continue };
        let document = Document::parse(there);
        let Some(problem) = document.refusal(Path::new(file)) else { continue };
        let proposed = document.proposed_heading(Path::new(file), &scaffold.names()).filter(|_| files.len() == 1);
        warnings.push(match proposed {
            Some(heading) => {
                let hint = format!("change `heading: {heading}` in the configuration if new headings look different");
                scaffold.set_heading(heading);
                Warning::new(problem.to_string()).hint(hint)
            }
            None => problem.into(),
        });
    }
    warnings
}

/// Reads the newest commits, all tags and the files, and derives a configuration from them.
fn inspect(repo: &Repo, project: Option<Project>) -> anyhow::Result<(ConfigScaffold, Vec<TaggedCommit>)> {
    let head = git::revision::head(repo)?;
    let forge = project.as_ref().and_then(Project::forge_of_messages);
    let (commits, counts) = entry_source::newest_commits(repo, forge);
    // A release cannot change a file that git does not track.
    let files = CommitFiles { repo, commit: head };
    let tags = git::tags::by_commit(repo, git::tags::names(repo)?)?;
    Ok((ConfigScaffold::new(&commits, counts, &tags, project, &files), tags))
}

/// Writes a file atomically. A link at its path is replaced; directories that lead out of `roots` are refused.
fn write(path: &Path, text: &str, force: bool, roots: &[Option<&Path>]) -> anyhow::Result<()> {
    let shown = path.display();
    let found = none_if_missing(fs::symlink_metadata(path)).with_context(|| format!("cannot read `{shown}`"))?;
    let is_other = |found: &fs::Metadata| {
        // Only regular files are read: reading another one may never end.
        !found.is_file() || fs::read(path).is_ok_and(|there| there != text.as_bytes())
    };
    if !force && found.as_ref().is_some_and(is_other) {
        return Err(already_exists(path).into());
    }
    let directory = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let real = |path: &Path| std::path::absolute(path).ok()?.ancestors().find_map(|above| above.canonicalize().ok());
    if !roots
        .iter()
        .flatten()
        .any(|root| real(directory).zip(real(root)).is_some_and(|(real, root)| real.starts_with(root)))
    {
        return Err(Problem::new(format!("`{}` leads out of the repository", directory.display()))
            .hint("write the file there yourself, or replace the link by a directory")
            .into());
    }
    fs::create_dir_all(directory).with_context(|| format!("cannot create the directory `{}`", directory.display()))?;
    let failed = || format!("cannot write `{shown}`");
    let mut file = TemporaryFile::new_in(directory).with_context(failed)?;
    file.write_all(text.as_bytes()).with_context(failed)?;
    // git for Windows runs hooks by their first line, and needs no permission.
    #[cfg(unix)]
    make_executable(file.path(), text)?;
    file.persist(path).with_context(failed)
}

fn already_exists(path: &Path) -> Problem {
    Problem::new(format!("`{}` already exists", path.display())).hint("use `--force` to overwrite it")
}

/// Makes a script executable.
#[cfg(unix)]
fn make_executable(path: &Path, text: &str) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    if !text.starts_with("#!") {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make `{}` executable", path.display()))
}

/// Asks on `out` and reads the answers from `input`. If that ends, everything else stays as it was found.
fn ask_user(scaffold: &mut ConfigScaffold, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut dialog = Dialog { input, out };
    let sources = EntrySource::NAMES.map(|(name, _)| name);
    let source = dialog.choose("categories come from", &sources, scaffold.source.name())?;
    if let Some(source) = EntrySource::parse(&source).filter(|source| *source != scaffold.source) {
        scaffold.set_source(source);
    }
    let categories = dialog.line("categories, in the order of the section", &scaffold.categories.join(", "))?;
    scaffold.categories =
        categories.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect();
    if let TagScheme::Prefixed(prefix) = &scaffold.detected.scheme {
        scaffold.detected.scheme = TagScheme::Prefixed(dialog.line("tags begin with", prefix)?);
    }
    if let Some(paths) = scaffold.version_paths() {
        let what = format!("a release sets the version in {paths}");
        scaffold.sets_versions = dialog.choose(&what, &["yes", "no"], "yes")? == "yes";
    }
    let template = dialog.choose("the template", &BUILT_IN, BUILT_IN[0])?;
    scaffold.template = (template != BUILT_IN[0]).then_some(template);
    Ok(())
}

struct Dialog<'a> {
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl Dialog<'_> {
    fn choose(&mut self, what: &str, among: &[&str], default: &str) -> anyhow::Result<String> {
        let what = format!("{what} ({})", among.join(", "));
        loop {
            let answer = self.line(&what, default)?;
            if among.contains(&answer.as_str()) {
                return Ok(answer);
            }
            writeln!(self.out, "{}", printable_message(&format!("`{answer}` is not one of them")))?;
        }
    }

    fn line(&mut self, what: &str, default: &str) -> anyhow::Result<String> {
        write!(self.out, "{}", printable_message(&format!("{what} [{default}]: ")))?;
        self.out.flush()?;
        let mut answer = String::new();
        if self.input.read_line(&mut answer)? == 0 {
            writeln!(self.out)?;
        }
        let answer = answer.trim();
        Ok(if answer.is_empty() { default } else { answer }.to_owned())
    }
}

/// Returns the configuration files of other tools at the top of the work tree, as the current directory sees them.
fn found_config(root: &Path) -> Vec<String> {
    let files = migration::files()
        .into_iter()
        .map(|file| strip_current_directory(root.join(file)))
        .filter(|file| file.is_file());
    files.map(|file| file.display().to_string()).collect()
}

/// Whether a file that exists configures change files.
fn configures_change_files(repo: &Repo, file: &str) -> bool {
    let head = git::revision::resolve(repo, "HEAD").ok();
    let found = || change_files::find(&CommitFiles { repo, commit: head }).ok().flatten();
    Path::new(file).is_file()
        && (change_files::is_configuration(file) || found().is_some_and(|found| found.configured_in == file))
}

/// Reads the configuration of another tool from a file; without a name, the error names the files that exist.
fn read_config(file: &str, repo: &Repo, root: &Path) -> anyhow::Result<(&'static str, Migration)> {
    if file.is_empty() {
        let problem = Problem::usage("`--from` needs the configuration file of another tool");
        return Err(match found_config(root).first() {
            Some(first) => problem.hint(format!("run `tidings init --from {first}`")),
            None => problem.hint(format!("name one of these files: `{}`", migration::files().join("`, `"))),
        }
        .into());
    }
    let path = Path::new(file);
    let bytes = git::file::read_local(repo, file)?.ok_or_else(|| Problem::usage(format!("`{file}` does not exist")))?;
    let beside = |name: &str| git::file::read_local(repo, &path.with_file_name(name).to_string_lossy());
    migration::read(file, &bytes, &beside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::auto::SourceCounts;

    fn found(tags: &[&str]) -> ConfigScaffold {
        let tags: Vec<_> =
            tags.iter().map(|&tag| TaggedCommit { date: 1_700_000_000, tags: vec![tag.to_owned()] }).collect();
        let tree = std::collections::BTreeMap::from([("VERSION", "1.0.0\n")]);
        ConfigScaffold::new(&[], SourceCounts::default(), &tags, None, &tree)
    }

    fn asked(tags: &[&str], answers: &str) -> (ConfigScaffold, String) {
        let (mut scaffold, mut out) = (found(tags), Vec::new());
        ask_user(&mut scaffold, &mut answers.as_bytes(), &mut out).unwrap();
        (scaffold, String::from_utf8(out).unwrap())
    }

    #[test]
    fn an_empty_line_takes_what_was_found_and_so_does_the_end() {
        for answers in ["\n\n\n\n\n", ""] {
            let (scaffold, _) = asked(&["app-1.0.0"], answers);
            assert_eq!(scaffold.to_yaml(), found(&["app-1.0.0"]).to_yaml());
        }
    }

    #[test]
    fn answers_change_the_configuration_and_nonsense_is_asked_again() {
        let (scaffold, out) = asked(&["app-1.0.0"], "all\nboth\nnew, fixed,\nweb-\nno\ncompact\n");
        assert!(out.contains("`all` is not one of them\n"), "{out}");
        assert_eq!(
            (scaffold.source, scaffold.categories.as_slice()),
            (EntrySource::Both, &["new".into(), "fixed".into()][..])
        );
        let text = scaffold.to_yaml();
        assert!(text.contains("\n# version_files:\n#   - { path: \"VERSION\", regex: "), "{text}");
        assert!(text.contains("\ntag_prefix: \"web-\"\n") && text.contains("\ntemplate_file: \"compact\"\n"), "{text}");
    }
}
