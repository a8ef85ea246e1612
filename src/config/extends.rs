//! The key `extends`: another file of the repository, whose keys count where the configuration does not have them. It may
//! be one of an installed package or on the web, which others wrote.

use super::{
    decode::decode_text,
    field::Field,
    pinned_address::PinnedAddress,
    yaml::{self, Node, Value},
};
use crate::model::{Problem, Source, hints};

pub(super) const EXTENDS: &str = "extends";

/// The maximum number of files that extend each other.
const MAX_FILES: usize = 10;

/// Reads a file of the repository by its path, or one on the web by its address; `None` if it does not exist.
pub(crate) type ReadFile<'a> = &'a dyn Fn(&str) -> anyhow::Result<Option<Vec<u8>>>;

/// A file of the configuration.
#[derive(Debug)]
pub(super) struct ConfigFile {
    pub source: Source,
    /// Its content; `None` if it is empty.
    pub document: Option<Node>,
}

/// Reads a file, the one that it extends, and so on.
pub(super) fn read_files(source: Source, read: Option<ReadFile<'_>>) -> anyhow::Result<Vec<ConfigFile>> {
    let mut files: Vec<ConfigFile> = Vec::new();
    let mut next = Some(source);
    while let Some(source) = next {
        let file = ConfigFile { document: yaml::parse(&source, yaml::MAX_NODES)?, source };
        check_commands(&file)?;
        next = extended(&file, &files, read)?;
        files.push(file);
    }
    Ok(files)
}

/// Reads the file that one extends; `None` if it extends none.
fn extended(file: &ConfigFile, before: &[ConfigFile], read: Option<ReadFile<'_>>) -> anyhow::Result<Option<Source>> {
    let Some(field) = file.field(EXTENDS) else { return Ok(None) };
    let Some(path) = field.text()? else { return Ok(None) };
    let Some(read) = read else {
        return Err(field.refusal("is read only from a repository").hint("remove the key").into());
    };
    if before.iter().chain([file]).any(|known| known.source.name == path) {
        return Err(circle(&field, &path).into());
    }
    if before.len() + 1 == MAX_FILES {
        return Err(field.refusal(&format!("is the end of a chain of more than {MAX_FILES} files")).into());
    }
    let pinned = if is_on_web(&path) {
        let pinned = PinnedAddress::parse(&path);
        Some(pinned.map_err(|(why, hint)| field.refusal(why).hint(hint))?)
    } else {
        None
    };
    let bytes = read(&path).map_err(|error| {
        let refusal = field.refusal(&format!("cannot be read: {error:#}"));
        hints(&error).into_iter().fold(refusal, Problem::hint)
    })?;
    let Some(bytes) = bytes else {
        let problem = field.refusal(&format!("names `{path}`, which does not exist"));
        let hint = if is_of_package(&path) { INSTALL } else { "write its path from the top of the repository" };
        return Err(problem.hint(hint).into());
    };
    if let Some(pinned) = pinned.filter(|pinned| !pinned.is_of(&bytes)) {
        let problem = field.refusal(&format!("names `{}`, which has another digest", pinned.url));
        return Err(problem.hint("read what changed there before you write the new digest").into());
    }
    Ok(Some(decode_text(&bytes, &path)?))
}

const INSTALL: &str = "install the package first; it is read from the work tree alone";

/// Whether a path is an address instead.
fn is_on_web(path: &str) -> bool {
    path.contains("://")
}

/// Whether a file is one of an installed package, and not of the repository itself.
fn is_of_package(path: &str) -> bool {
    path.split('/').any(|part| part.eq_ignore_ascii_case("node_modules"))
}

/// Refuses a key that runs commands, in a file that others wrote.
fn check_commands(file: &ConfigFile) -> Result<(), Problem> {
    let name = &file.source.name;
    let place = if is_on_web(name) { "the web" } else { "a package" };
    let is_foreign = is_on_web(name) || is_of_package(name);
    let Some(hooks) = file.field("hooks").filter(|_| is_foreign) else { return Ok(()) };
    let message = format!("`hooks` is not read from {place}, since it runs commands");
    let problem = file.source.problem(hooks.key_at, &message);
    Err(problem.hint("write it in the configuration of the repository"))
}

fn circle(field: &Field<'_>, path: &str) -> Problem {
    let problem = field.refusal(&format!("names `{path}`, which extends this file or is it"));
    problem.hint("remove `extends` from one of the files")
}

impl ConfigFile {
    fn field(&self, name: &'static str) -> Option<Field<'_>> {
        let Some(Node { value: Value::Mapping(pairs), .. }) = &self.document else { return None };
        let (key, node) = pairs.iter().rev().find(|(key, _)| key.as_written() == Some(name))?;
        Some(Field { source: &self.source, key: name, key_at: key.at, node })
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, parse, parse_with};

    fn read(text: &str, others: &[(&str, &str)]) -> anyhow::Result<Config> {
        let file = |path: &str| {
            let found = others.iter().find(|(name, _)| *name == path);
            Ok(found.map(|(_, text)| text.as_bytes().to_vec()))
        };
        parse_with(text, "c.yml", &file).map(|(config, _)| config)
    }

    #[test]
    fn a_key_replaces_that_of_the_extended_file_as_a_whole() {
        let base = "extends: root.yml\ncategories: {added: New, fixed: Mended}\nsource: conventional\nfile: A.md\n";
        let root = "file: B.md\ntag_prefix: x\nmax_title: 50\n";
        let config = read(
            "extends: base.yml\ncategories: {fixed: Fixes}\ntag_prefix:\n",
            &[("base.yml", base), ("root.yml", root)],
        );
        let expected = "categories: {fixed: Fixes}\nsource: conventional\nfile: A.md\nmax_title: 50\n";
        assert_eq!(config.unwrap(), parse(expected, "c.yml").unwrap().0);
    }

    #[test]
    fn what_depends_on_several_keys_is_checked_across_files() {
        let base = ("base.yml", "labels: {bug: fixed}\n");
        assert_eq!(read("extends: base.yml\n", &[base]).unwrap(), parse("labels: {bug: fixed}\n", "c.yml").unwrap().0);
        let refusal = read("extends: base.yml\nsource: titles\n", &[base]).unwrap_err().to_string();
        assert!(refusal.contains("base.yml:1:9"), "{refusal}");
    }

    #[test]
    fn a_file_of_a_package_may_have_all_keys_but_those_that_run_commands() {
        let path = "node_modules/@harbor/config/tidings.yml";
        let text = format!("extends: {path}\nfile: A.md\n");
        let config = read(&text, &[(path, "source: conventional\n")]).unwrap();
        assert_eq!(config, parse("source: conventional\nfile: A.md\n", "c.yml").unwrap().0);
        let base = "source: conventional\nhooks:\n  before: [make]\n";
        let refusal = read(&text, &[(path, base)]).unwrap_err().to_string();
        assert!(refusal.contains(&format!("{path}:2:1: `hooks` is not read from a package")), "{refusal}");
        assert!(read("extends: own.yml\n", &[("own.yml", base)]).is_ok());
        // What a package extends is as foreign as the package.
        let next = "node_modules/@harbor/base/tidings.yml";
        let others = [(path, format!("extends: {next}\n")), (next, base.to_owned())];
        let others = others.each_ref().map(|(path, text)| (*path, text.as_str()));
        assert!(read(&text, &others).is_err());
    }

    #[test]
    fn a_file_on_the_web_counts_only_with_its_digest_and_runs_nothing() {
        let address = |text: &str| {
            format!("https://x.example/tidings.yml#sha256={}", crate::config::pinned_address::digest(text.as_bytes()))
        };
        let base = "source: conventional\n";
        let pinned = address(base);
        let own = format!("extends: {pinned}\nfile: A.md\n");
        let expected = parse("source: conventional\nfile: A.md\n", "c.yml").unwrap().0;
        assert_eq!(read(&own, &[(&pinned, base)]).unwrap(), expected);
        let refusal = read(&own, &[(&pinned, "source: titles\n")]).unwrap_err().to_string();
        assert!(
            refusal.contains("c.yml:1:10: `extends` names `https://x.example/tidings.yml`, which has another digest")
        );
        let with_hooks = "hooks: {before: [make]}\n";
        let pinned = address(with_hooks);
        let refusal = read(&format!("extends: {pinned}\n"), &[(&pinned, with_hooks)]).unwrap_err().to_string();
        assert!(refusal.contains("`hooks` is not read from the web"), "{refusal}");
    }

    #[test]
    fn what_cannot_be_extended_is_refused_with_its_place() {
        let cases = [
            ("extends: none.yml\n", "c.yml:1:10: `extends` names `none.yml`, which does not exist"),
            ("extends: c.yml\n", "c.yml:1:10: `extends` names `c.yml`, which extends this file or is it"),
            ("extends: back.yml\n", "back.yml:1:10: `extends` names `c.yml`, which extends this file or is it"),
            ("extends: bad.yml\n", "bad.yml:1:9: `source` must be"),
            ("extends: [a, b]\n", "c.yml:1:10: `extends` must be a text, not a list"),
            ("extends: https://x.example/c.yml\n", "c.yml:1:10: `extends` must end with the digest of the file"),
        ];
        for (text, expected) in cases {
            let others = [("back.yml", "extends: c.yml\n"), ("bad.yml", "source: nothing\n")];
            let refusal = read(text, &others).unwrap_err().to_string();
            assert!(refusal.contains(expected), "{refusal}");
        }
        let refusal = parse("extends: a.yml\n", "c.yml").unwrap_err().to_string();
        assert!(refusal.contains("`extends` is read only from a repository"), "{refusal}");
    }
}
