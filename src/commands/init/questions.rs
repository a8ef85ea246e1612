//! What people are asked about the settings: an empty line takes what was found.

use std::io::{BufRead, Write};

use crate::{
    changelog::{
        scaffold::{ConfigScaffold, TagScheme},
        template::BUILT_IN,
    },
    config::EntrySource,
    model::message,
};

/// Asks on `out` and reads answers from `input`; where that ends, everything else stays as it was found.
pub(super) fn ask(starter: &mut ConfigScaffold, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut dialog = Dialog { input, out };
    let sources = EntrySource::NAMES.map(|(name, _)| name);
    let source = dialog.choose("categories come from", &sources, starter.source.name())?;
    if let Some(source) = EntrySource::parse(&source).filter(|source| *source != starter.source) {
        starter.set_source(source);
    }
    let categories = dialog.line("categories, in the order of the section", &starter.categories.join(", "))?;
    starter.categories =
        categories.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect();
    if let TagScheme::Prefixed(prefix) = &starter.tags {
        starter.tags = TagScheme::Prefixed(dialog.line("tags begin with", prefix)?);
    }
    if let Some(paths) = starter.version_paths() {
        let what = format!("a release sets the version in {paths}");
        starter.sets_versions = dialog.choose(&what, &["yes", "no"], "yes")? == "yes";
    }
    let template = dialog.choose("the template", &BUILT_IN, BUILT_IN[0])?;
    starter.template = (template != BUILT_IN[0]).then_some(template);
    Ok(())
}

struct Dialog<'a> {
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl Dialog<'_> {
    /// One of a few words.
    fn choose(&mut self, what: &str, among: &[&str], default: &str) -> anyhow::Result<String> {
        let what = format!("{what} ({})", among.join(", "));
        loop {
            let answer = self.line(&what, default)?;
            if among.contains(&answer.as_str()) {
                return Ok(answer);
            }
            writeln!(self.out, "{}", message(&format!("`{answer}` is none of them")))?;
        }
    }

    /// Any line.
    fn line(&mut self, what: &str, default: &str) -> anyhow::Result<String> {
        write!(self.out, "{}", message(&format!("{what} [{default}]: ")))?;
        self.out.flush()?;
        let mut answer = String::new();
        if self.input.read_line(&mut answer)? == 0 {
            writeln!(self.out)?;
        }
        let answer = answer.trim();
        Ok(if answer.is_empty() { default } else { answer }.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(tags: &[&str]) -> ConfigScaffold {
        let tags: Vec<_> = tags.iter().map(|&tag| tag.to_owned()).collect();
        let tree = std::collections::BTreeMap::from([("VERSION", "1.0.0\n")]);
        ConfigScaffold::of(std::iter::empty(), &tags, None, &tree)
    }

    fn asked(tags: &[&str], answers: &str) -> (ConfigScaffold, String) {
        let (mut starter, mut out) = (found(tags), Vec::new());
        ask(&mut starter, &mut answers.as_bytes(), &mut out).unwrap();
        (starter, String::from_utf8(out).unwrap())
    }

    #[test]
    fn an_empty_line_takes_what_was_found_and_so_does_the_end() {
        for answers in ["\n\n\n\n\n", ""] {
            let (starter, _) = asked(&["app-1.0.0"], answers);
            assert_eq!(starter.to_yaml(), found(&["app-1.0.0"]).to_yaml());
        }
    }

    #[test]
    fn answers_change_the_settings_and_nonsense_is_asked_again() {
        let (starter, out) = asked(&["app-1.0.0"], "all\nboth\nnew, fixed,\nweb-\nno\ncompact\n");
        assert!(out.contains("`all` is none of them\n"), "{out}");
        assert_eq!(
            (starter.source, starter.categories.as_slice()),
            (EntrySource::Both, &["new".into(), "fixed".into()][..])
        );
        let text = starter.to_yaml();
        assert!(text.contains("\n# version_files:\n#   - { path: \"VERSION\", regex: "), "{text}");
        assert!(text.contains("\ntag_prefix: \"web-\"\n") && text.contains("\ntemplate_file: \"compact\"\n"), "{text}");
    }
}
