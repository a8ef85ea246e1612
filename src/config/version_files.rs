//! `version_files:`, a list of files and the locator of the version in each.

use super::{
    VersionFile, VersionLocator, WorkspaceKind,
    field::Field,
    reader::ConfigReader,
    yaml::{Node, Value},
};

const KEYS: [&str; 5] = ["path", "key", "regex", "workspace", "members"];

const EXPECTED: &str = "a list of files, each with `path` and `key` or `regex`, or with `workspace`";

impl<'a> ConfigReader<'a> {
    /// Reads a list of files; a single file is a list of one. In a workspace, a package is the member of its name.
    pub(super) fn version_files(
        &mut self,
        field: Field<'a>,
        package: Option<&str>,
    ) -> anyhow::Result<Vec<VersionFile>> {
        let items: &[Node] = match &field.node.value {
            Value::List(items) => items,
            Value::Mapping(_) => std::slice::from_ref(field.node),
            Value::Scalar { .. } => {
                field.pairs(EXPECTED)?;
                &[]
            }
        };
        items.iter().map(|node| self.version_file(Field { node, ..field }, package)).collect()
    }

    fn version_file(&mut self, field: Field<'a>, package: Option<&str>) -> anyhow::Result<VersionFile> {
        let [mut path, mut key, mut regex] = [const { None }; 3];
        let (mut workspace, mut members) = (None, None);
        for field in self.fields(field.pairs(EXPECTED)?)? {
            match field.key {
                "path" => path = field.text()?.map(|path| normalize(&path)),
                "key" => key = field.text()?,
                "regex" => regex = field.text()?,
                "workspace" => {
                    workspace = field.one_of(&WorkspaceKind::NAMES.map(|(name, kind)| (name, Some(kind))), None)?;
                }
                "members" => members = Some(field.texts()?),
                _ => self.warn_unknown_key(field, &KEYS),
            }
        }
        let locator = match (key, regex, workspace) {
            (None, None, Some(kind)) => {
                let own = package.filter(|_| path.is_none()).map(|name| vec![name.to_owned()]);
                path = path.or_else(|| Some(kind.manifest().to_owned()));
                VersionLocator::Workspace { kind, members: members.or(own).unwrap_or_default() }
            }
            (Some(key), None, None) => VersionLocator::Key(key),
            (None, Some(regex), None) => VersionLocator::Regex(regex),
            _ => return Err(field.refusal("needs either a `key`, a `regex` or a `workspace` for each file").into()),
        };
        Ok(VersionFile { path: path.ok_or_else(|| field.refusal("needs a `path` for each file"))?, locator })
    }
}

/// Normalizes a path: `./a//b` becomes `a/b`.
fn normalize(path: &str) -> String {
    let is_kept = |(index, part): &(usize, &str)| *part != "." && (*index == 0 || !part.is_empty());
    path.split('/').enumerate().filter(is_kept).map(|(_, part)| part).collect::<Vec<_>>().join("/")
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
    fn a_workspace_is_named_by_its_tool() {
        let workspace = |path: &str, kind, members: &[&str]| VersionFile {
            path: path.to_owned(),
            locator: VersionLocator::Workspace { kind, members: members.iter().map(|&name| name.to_owned()).collect() },
        };
        let all = workspace("Cargo.toml", WorkspaceKind::Cargo, &[]);
        assert_eq!(read("version_files: {workspace: cargo}").unwrap(), [all]);
        let some = workspace("js/package.json", WorkspaceKind::Npm, &["@x/a", "b"]);
        let text = "version_files: [{workspace: pnpm, path: ./js//package.json, members: ['@x/a', b]}]";
        assert_eq!(read(text).unwrap(), [some]);
        let text = "packages: {api: {version_files: [{workspace: npm}, {workspace: cargo, path: api/Cargo.toml}]}}";
        let (config, _) = config::parse(text, "c.yml").unwrap();
        let expected = [
            workspace("package.json", WorkspaceKind::Npm, &["api"]),
            workspace("api/Cargo.toml", WorkspaceKind::Cargo, &[]),
        ];
        assert_eq!(config.package("api").unwrap().version_files, expected);
    }

    #[test]
    fn a_file_without_them_is_refused_with_its_position() {
        for (text, said) in [
            ("version_files: Cargo.toml", "c.yml:1:16: `version_files` must be a list of files, each with"),
            (
                "version_files:\n- path: a",
                "c.yml:2:3: `version_files` needs either a `key`, a `regex` or a `workspace`",
            ),
            ("version_files:\n- {path: a, key: b, regex: c}", "needs either a `key`, a `regex` or a `workspace`"),
            ("version_files: [{key: b}]", "needs a `path`"),
            (
                "version_files: {workspace: go}",
                "c.yml:1:28: `workspace` must be `cargo`, `npm`, `pnpm`, `yarn` or `bun`, not `go`",
            ),
            ("version_files: {workspace: npm, key: version}", "needs either a `key`"),
        ] {
            let refused = read(text).unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
