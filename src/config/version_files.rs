//! `version_files:`, a list of files and where the version stands in each.

use super::{
    field::Field,
    keys::ConfigReader,
    yaml::{Node, Value},
};
use crate::model::{VersionFile, VersionLocator};

/// The keys of one file.
const KEYS: [&str; 3] = ["path", "key", "regex"];

impl<'a> ConfigReader<'a> {
    /// The files of a list, where one file stands for a list of one.
    pub(super) fn version_files(&mut self, field: Field<'a>) -> anyhow::Result<Vec<VersionFile>> {
        let items: &[Node] = match &field.node.value {
            Value::List(items) => items,
            Value::Mapping(_) => std::slice::from_ref(field.node),
            Value::Scalar { .. } => {
                field.pairs("a list of files, each with `path` and `key` or `regex`")?;
                &[]
            }
        };
        items.iter().map(|node| self.version_file(Field { node, ..field })).collect()
    }

    fn version_file(&mut self, field: Field<'a>) -> anyhow::Result<VersionFile> {
        let [mut path, mut key, mut regex] = [const { None }; KEYS.len()];
        for field in self.fields(field.pairs("a list of files, each with `path` and `key` or `regex`")?)? {
            match field.key {
                "path" => path = field.text()?,
                "key" => key = field.text()?,
                "regex" => regex = field.text()?,
                _ => self.unknown(field, &KEYS),
            }
        }
        let place = match (key, regex) {
            (Some(key), None) => VersionLocator::Key(key),
            (None, Some(regex)) => VersionLocator::Regex(regex),
            _ => return Err(field.refusal("needs either a `key` or a `regex` for each file").into()),
        };
        let missing = || field.refusal("needs a `path` for each file");
        Ok(VersionFile { path: path.ok_or_else(missing)?, locator: place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;

    fn read(text: &str) -> anyhow::Result<Vec<VersionFile>> {
        config::parse(text, "c.yml").map(|(config, _)| config.version_files)
    }

    #[test]
    fn a_file_has_a_path_and_a_key_or_a_regex() {
        let key = VersionFile { path: "Cargo.toml".into(), locator: VersionLocator::Key("package.version".into()) };
        let one = "{path: Cargo.toml, key: package.version}";
        assert_eq!(read(&format!("version_files: {one}")).unwrap(), std::slice::from_ref(&key));
        let regex = VersionFile { path: "a".into(), locator: VersionLocator::Regex("v(.*)".into()) };
        assert_eq!(read(&format!("version_files: [{one}, {{path: a, regex: v(.*)}}]")).unwrap(), [key.clone(), regex]);
        assert!(read("version_files:\n").unwrap().is_empty());
        let (config, _) = config::parse(format!("packages: {{api: {{version_files: {one}}}}}"), "c.yml").unwrap();
        assert_eq!(config.package("api").unwrap().version_files, [key]);
    }

    #[test]
    fn a_file_without_them_is_refused_with_its_place() {
        for (text, said) in [
            ("version_files: Cargo.toml", "c.yml:1:16: `version_files` must be a list of files, each with"),
            ("version_files:\n- path: a", "c.yml:2:3: `version_files` needs either a `key` or a `regex`"),
            ("version_files:\n- {path: a, key: b, regex: c}", "needs either a `key` or a `regex`"),
            ("version_files: [{key: b}]", "needs a `path`"),
        ] {
            let refused = read(text).unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
