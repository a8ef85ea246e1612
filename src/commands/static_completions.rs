//! The names of commands and options in a script of completions, so that a shell knows them without asking the program.

use clap::{Arg, Command};
use clap_complete::Shell;

/// The lists of bash and zsh; `NAMES`, `OPTIONS` and `GLOBAL` become their words.
const LISTS: &str = r"
# What comes next after the commands in $1: names of commands, or options.
_tidings_names() {
    case $1 in
NAMES    esac
}
_tidings_options() {
    case $1 in
OPTIONS    esac
    echo 'GLOBAL'
}
";

/// Where a shell stands in a command line, and what it offers there.
const BASH: &str = r#"_tidings() {
    local word at= known=
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ " $(_tidings_names "$at") " != *" $word "* ]] || at=${at:+$at }$word
    done
    if [[ $2 == -* && $2 != *=* ]]; then
        known=$(_tidings_options "$at")
    elif [[ ${COMP_WORDS[COMP_CWORD-1]} != -* ]]; then
        known=$(_tidings_names "$at")
    fi
    COMPREPLY=($(compgen -W "$known" -- "$2"))
    # What the names do not answer, such as a value, the program may.
    if [[ -n ${COMPREPLY-} ]]; then
        compopt +o nospace 2>/dev/null
    elif command -v tidings >/dev/null; then
        _clap_complete_tidings "$@"
    fi
}
if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -ge 44 ]]; then
    complete -o nospace -o bashdefault -o nosort -F _tidings tidings
else
    complete -o nospace -o bashdefault -F _tidings tidings
fi
"#;

const ZSH: &str = r#"# The program says more of each; without it the names are all there is.
_tidings() {
    if (( $+commands[tidings] )); then
        _clap_dynamic_completer_tidings "$@"
        return
    fi
    local word at=
    for word in ${words[2,CURRENT-1]}; do
        [[ " $(_tidings_names "$at") " != *" $word "* ]] || at=${at:+$at }$word
    done
    if [[ $PREFIX == -* ]]; then
        compadd -- ${=$(_tidings_options "$at")}
    else
        compadd -- ${=$(_tidings_names "$at")}
    fi
}
compdef _tidings tidings
# A file of the `fpath` is run by the first completion, which it answers too.
if [[ ${funcstack[1]} == _tidings ]]; then
    _tidings "$@"
fi
"#;

const FISH: &str = r#"
# The program says more of each; without it the names are all there is. The commands of a line, as one text:
function __tidings_at
    set -l at
    for word in (commandline --tokenize --cut-at-cursor --current-process)[2..]
        if contains -- $word (string split -- ' ' (__tidings_names "$at"))
            set at (string trim "$at $word")
        end
    end
    echo "$at"
end
function __tidings_names
    switch "$argv[1]"
NAMES    end
end
function __tidings_options
    switch "$argv[1]"
OPTIONS    end
    echo 'GLOBAL'
end
function __tidings_words
    set -l at (__tidings_at)
    string split -- ' ' (__tidings_names "$at") (__tidings_options "$at")
end
complete --command tidings --no-files --condition 'not command --query tidings' --arguments '(__tidings_words)'
"#;

/// Returns what a shell's script is followed by; empty for a shell that has only the program's answers.
pub(super) fn text(shell: Shell, program: Command) -> String {
    let (script, case) = match shell {
        Shell::Bash => (LISTS.to_owned() + BASH, "    'AT') echo 'WORDS' ;;\n"),
        Shell::Zsh => (LISTS.to_owned() + ZSH, "    'AT') echo 'WORDS' ;;\n"),
        Shell::Fish => (FISH.to_owned(), "        case 'AT'\n            echo 'WORDS'\n"),
        _ => return String::new(),
    };
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let mut lists = Lists { case, names: String::new(), options: String::new() };
    lists.add(&program, "");
    let global: Vec<String> =
        program.get_arguments().filter(|argument| argument.is_global_set()).flat_map(options).collect();
    script.replace("NAMES", &lists.names).replace("OPTIONS", &lists.options).replace("GLOBAL", &global.join(" "))
}

/// The lists of all commands, each as a case of the shell.
struct Lists {
    case: &'static str,
    names: String,
    options: String,
}

impl Lists {
    /// Adds a command, which follows these commands, and those below it.
    fn add(&mut self, command: &Command, at: &str) {
        let case = |words: &[String]| self.case.replace("AT", at).replace("WORDS", &words.join(" "));
        let commands = || command.get_subcommands().filter(|command| !command.is_hide_set());
        let names: Vec<String> = commands().map(|command| command.get_name().to_owned()).collect();
        let own = command.get_arguments().filter(|argument| !argument.is_global_set() && !argument.is_hide_set());
        let options: Vec<String> = own.flat_map(options).collect();
        let (names, options) = (if names.is_empty() { String::new() } else { case(&names) }, case(&options));
        self.names += &names;
        self.options += &options;
        for command in commands() {
            self.add(command, format!("{at} {}", command.get_name()).trim());
        }
    }
}

/// The names of an option; none of an argument without dashes.
fn options(argument: &Arg) -> Vec<String> {
    let long = argument.get_long().map(|name| format!("--{name}"));
    let short = argument.get_short().map(|name| format!("-{name}"));
    long.into_iter().chain(short).collect()
}
