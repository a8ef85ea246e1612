//! Text from outside the program, made safe to show: it cannot control a terminal or a CI log, hide or reorder what is
//! read, or reveal a password.

use std::borrow::Cow;

use super::mask_credentials;

/// Invisible characters that change how others appear: soft hyphen, marks of direction, zero-width spaces and joiners,
/// invisible operators, annotations and tags (Unicode, general category Cf), and the separators of lines.
const INVISIBLE: [(char, char); 10] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e007f}'),
];

/// The most characters of a value that a message quotes, and of a line of a message.
const MAX_QUOTED: usize = 500;
const MAX_MESSAGE: usize = 1_000;

/// The beginnings of commands to the runner in a CI log (GitHub Actions, Azure Pipelines), and what replaces them.
const RUNNER_COMMANDS: [(&str, &str); 2] = [("##[", "# #["), ("##vso[", "# #vso[")];

/// Quotes a word of a command line for a shell (POSIX, 2.2 Quoting).
pub(crate) fn shell_quoted(word: &str) -> String {
    if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%+,-./:=@_".contains(&byte)) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Whether a character controls the terminal, or is invisible and changes how others appear.
fn is_deceptive(letter: char) -> bool {
    letter.is_control() || INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&letter))
}

/// Returns the text on one line: line breaks and tabs become spaces, each other deceptive character U+FFFD.
pub(crate) fn printable(text: &str) -> String {
    replace_deceptive(text, |letter, shown| match letter {
        '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => shown.push(' '),
        _ => shown.push(char::REPLACEMENT_CHARACTER),
    })
}

/// Replaces each deceptive character by U+FFFD, but keeps line feeds and tabs.
pub(crate) fn printable_lines(text: &str) -> String {
    replace_deceptive(text, |letter, shown| match letter {
        '\t' | '\n' => shown.push(letter),
        _ => shown.push(char::REPLACEMENT_CHARACTER),
    })
}

/// Escapes the deceptive characters in JSON, all of which are in its strings.
pub(crate) fn printable_json(json: &str) -> String {
    replace_deceptive(json, |letter, shown| match letter {
        '\n' => shown.push(letter),
        _ => shown.extend(letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}"))),
    })
}

fn replace_deceptive(text: &str, replace: impl Fn(char, &mut String)) -> String {
    let mut shown = String::with_capacity(text.len());
    let (mut before, mut letters) = (' ', text.chars());
    while let Some(letter) = letters.next() {
        if is_deceptive(letter)
            && !(is_joiner(letter) && is_joinable(before) && letters.clone().next().is_some_and(is_joinable))
        {
            replace(letter, &mut shown);
        } else {
            shown.push(letter);
        }
        before = letter;
    }
    shown
}

/// Whether a character is the joiner or the non-joiner, which emoji and many scripts need.
fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

/// Whether a joiner may be next to a character. ASCII is excluded, so that nothing hides in names, options and URLs.
fn is_joinable(letter: char) -> bool {
    !letter.is_ascii() && !letter.is_whitespace() && !is_deceptive(letter)
}

/// Returns a message on one line, without credentials, that no CI runner takes for a command.
pub(crate) fn printable_message(text: &str) -> String {
    no_command(&printable(&mask_credentials(&shorten(text))))
}

/// Returns lines that no CI runner takes for commands. A carriage return ends a line for a runner, too.
pub(crate) fn no_commands(text: &str) -> String {
    text.split_inclusive(['\n', '\r']).map(no_command).collect()
}

fn no_command(line: &str) -> String {
    let line = RUNNER_COMMANDS.iter().fold(line.to_owned(), |line, (command, shown)| line.replace(command, shown));
    let (blanks, rest) = line.split_at(line.len() - line.trim_start().len());
    match rest.strip_prefix("::") {
        Some(rest) => format!("{blanks}: :{rest}"),
        None => line,
    }
}

/// Returns at most so many characters of a text, and `…` if it has more.
pub(crate) fn beginning(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Cuts what a line of a message quotes, and the line itself, where they are longer than anybody would read.
fn shorten(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_QUOTED {
        return text.into();
    }
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(index, part)| if index % 2 == 1 { beginning(part, MAX_QUOTED) } else { part.into() });
    beginning(&parts.collect::<Vec<_>>().join("`"), MAX_MESSAGE).into_owned().into()
}

/// Cleans the text between styles: the colours and weights of anstyle that the program itself writes.
pub(crate) fn clean_between_styles(text: &str, clean: impl Fn(&str) -> String) -> String {
    let mut shown = String::with_capacity(text.len());
    let (mut plain, mut at) = (0, 0);
    while let Some(escape) = text[at..].find('\u{1b}').map(|found| at + found) {
        at = escape + 1;
        if let Some(length) = style_length(&text[escape..]) {
            shown += &clean(&text[plain..escape]);
            shown += &text[escape..escape + length];
            (plain, at) = (escape + length, escape + length);
        }
    }
    shown + &clean(&text[plain..])
}

/// Returns the length of `ESC [ n m`, if it only sets a colour, a weight or underlines: `ESC [ 8 m` would hide text.
fn style_length(text: &str) -> Option<usize> {
    let parameters = &text.strip_prefix("\u{1b}[")?;
    let end = parameters.find('m')?;
    parameters[..end]
        .split(';')
        .all(|number| {
            matches!(number, "" | "0" | "1" | "2" | "4") || matches!(number.parse::<u8>(), Ok(30..=37 | 39 | 90..=97))
        })
        .then_some(end + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_only_if_a_shell_would_read_it_otherwise() {
        let words = ["v1.2.0", "@a/b@1.0.0", "a b", "it's", "$(x)", ""].map(shell_quoted);
        assert_eq!(words, ["v1.2.0", "@a/b@1.0.0", "'a b'", r"'it'\''s'", "'$(x)'", "''"]);
    }

    #[test]
    fn deceptive_characters_are_replaced_and_emoji_stay_whole() {
        assert_eq!(printable("a\u{1b}[31mb\u{9b}\r\nc\td"), "a\u{fffd}[31mb\u{fffd}  c d");
        assert_eq!(printable("x\u{202e}y\u{2066}z\u{200b}\u{feff}"), "x\u{fffd}y\u{fffd}z\u{fffd}\u{fffd}");
        let written = "\u{1f469}\u{200d}\u{1f4bb} می\u{200c}خواهم größe";
        assert_eq!(printable(written), written);
        assert_eq!(
            printable("ad\u{200d}min é\u{200d} \u{200d}é\u{200d}\u{200d}é"),
            "ad\u{fffd}min é\u{fffd} \u{fffd}é\u{fffd}\u{fffd}é"
        );
        assert_eq!(printable_json("\"\u{9b}\u{7f}\u{e0001}\n"), "\"\\u009b\\u007f\\udb40\\udc01\n");
        assert_eq!(printable_lines("a\tb\nc\r\u{7}"), "a\tb\nc\u{fffd}\u{fffd}");
    }

    #[test]
    fn a_message_is_one_line_and_not_a_command_to_a_runner() {
        assert_eq!(printable_message("unknown key `a\n::error::b`"), "unknown key `a ::error::b`");
        assert_eq!(
            printable_message(" ::add-mask::x ##[add-mask]y ##vso[task]z"),
            " : :add-mask::x # #[add-mask]y # #vso[task]z"
        );
        assert_eq!(printable_message("cannot reach `https://u:p@h/x`"), "cannot reach `https://h/x`");
        let lines = "Add a::b\n\t::error::x\r::add-mask::y\n- ##[error]z\n";
        assert_eq!(no_commands(lines), "Add a::b\n\t: :error::x\r: :add-mask::y\n- # #[error]z\n");
    }

    #[test]
    fn what_a_message_quotes_is_not_longer_than_anybody_reads() {
        let long = "é".repeat(200_000);
        assert_eq!(
            printable_message(&format!("`{long}` is not a regex: `x`")),
            format!("`{}…` is not a regex: `x`", "é".repeat(500))
        );
        assert_eq!(printable_message(&long).chars().count(), 1_001);
        let usual = format!("`{}`", "x".repeat(500));
        assert_eq!(printable_message(&usual), usual);
    }

    #[test]
    fn only_harmless_styles_pass() {
        let text = "\u{1b}[1m\u{1b}[31merror\u{1b}[0m: \u{1b}[8mhidden\u{1b}]52;c;AAAA\u{7} \u{1b}[2J\u{1b}[38;5;1mx";
        let shown = "\u{1b}[1m\u{1b}[31merror\u{1b}[0m: \u{fffd}[8mhidden\u{fffd}]52;c;AAAA\u{fffd} \u{fffd}[2J\u{fffd}[38;5;1mx";
        assert_eq!(clean_between_styles(text, printable), shown);
    }
}
