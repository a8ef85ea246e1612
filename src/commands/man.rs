//! `tidings man`: manual pages, one per command.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap_mangen::Man;

use super::Session;
use crate::model::Problem;

/// Print the manual page of a command, or write all of them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Command, such as `show` or `repo tree` [default: the program itself].
    #[arg(value_name = "COMMAND")]
    path: Vec<String>,
    /// Write the page of every command into this directory.
    #[arg(long, value_name = "DIR", conflicts_with = "path")]
    dir: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tidings man show | man -l -
  tidings man --dir ~/.local/share/man/man1";

pub(crate) fn run(args: &Args, program: clap::Command, session: &mut Session) -> anyhow::Result<()> {
    // `help COMMAND` needs no page of its own, and a page includes the options that `-h` leaves out.
    let mut without_help = program.disable_help_subcommand(true);
    without_help.build();
    let program = with_all_help(without_help);
    if let Some(directory) = &args.dir {
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot create the directory `{}`", directory.display()))?;
        return write_all(&program, directory).with_context(|| format!("cannot write into `{}`", directory.display()));
    }
    let mut command = &program;
    for name in &args.path {
        command = command.find_subcommand(name).ok_or_else(|| unknown_command(&args.path))?;
    }
    Ok(page(command, &mut session.out.bytes())?)
}

fn with_all_help(command: clap::Command) -> clap::Command {
    command.mut_args(|argument| argument.hide_short_help(false)).mut_subcommands(with_all_help)
}

/// Writes the page of a command and those of all commands below it.
fn write_all(command: &clap::Command, directory: &Path) -> io::Result<()> {
    let file = directory.join(Man::new(command.clone()).get_filename());
    page(command, &mut io::BufWriter::new(fs::File::create(file)?))?;
    command.get_subcommands().try_for_each(|command| write_all(command, directory))
}

fn page(command: &clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let examples = command.get_after_help().map(ToString::to_string);
    let source = concat!("tidings ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone().after_help(None::<&str>)).source(source).manual("Manual of tidings");
    let mut text = Vec::new();
    man.render(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let (before, rest) = text.split_once(".SH SYNOPSIS\n").unwrap_or((&text, ""));
    let after = rest.find(".SH ").map_or("", |at| &rest[at..]);
    write!(out, "{before}.SH SYNOPSIS\n{}\n{after}", synopsis(command))?;
    examples.map_or(Ok(()), |text| write_examples(&text, out))
}

/// Returns the command line with the names of its values; global options have a section of their own.
fn synopsis(command: &clap::Command) -> String {
    let bold = |text: &str| format!("\\fB{}\\fR", text.replace('-', "\\-"));
    let part = |argument: &clap::Arg| {
        let names = argument.get_value_names().filter(|_| argument.get_action().takes_values()).unwrap_or_default();
        let long = argument.get_long().map(|long| format!("--{long}"));
        let name = long.or_else(|| argument.get_short().map(|short| format!("-{short}")));
        let mut words: Vec<String> = name.iter().map(|name| bold(name)).collect();
        words.extend(names.iter().map(|name| format!("\\fI{name}\\fR")));
        let more = if matches!(argument.get_action(), clap::ArgAction::Append) { "..." } else { "" };
        let text = words.join(" ") + more;
        if argument.is_required_set() { text } else { format!("[{text}]") }
    };
    let own = || command.get_arguments().filter(|argument| !argument.is_global_set() && !argument.is_hide_set());
    let options = own().filter(|argument| !argument.is_positional()).map(part);
    let positionals = own().filter(|argument| argument.is_positional()).map(part);
    let subcommand = command.has_subcommands().then(|| "\\fICOMMAND\\fR".to_owned());
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let words = [bold(name), "[\\fIglobal options\\fR]".to_owned()].into_iter();
    words.chain(options).chain(positionals).chain(subcommand).collect::<Vec<_>>().join(" ")
}

/// Writes the examples with their lines and columns as they are, because roff(7) would join the lines into paragraphs.
fn write_examples(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, ".SH EXAMPLES\n.nf")?;
    for line in text.strip_prefix("Examples:\n").unwrap_or(text).lines() {
        // `\\&` keeps a leading dot or quote from starting a roff request.
        writeln!(out, "\\&{}", line.replace('\\', "\\\\").replace('-', "\\-"))?;
    }
    writeln!(out, ".fi")
}

fn unknown_command(path: &[String]) -> Problem {
    Problem::usage(format!("unknown command `{}`", path.join(" "))).hint("run `tidings --help` to list the commands")
}
