//! `groups`: packages whose versions move together.

use std::collections::HashSet;

use super::{
    Config,
    field::Field,
    reader::ConfigReader,
    version_group::{GroupRule, VersionGroup},
};
use crate::model::closest;

impl<'a> ConfigReader<'a> {
    pub(super) fn groups(&mut self, field: Field<'a>) -> anyhow::Result<Vec<VersionGroup>> {
        field.elements()?.into_iter().filter(|element| !element.is_off()).map(|element| self.group(element)).collect()
    }

    fn group(&mut self, element: Field<'a>) -> anyhow::Result<VersionGroup> {
        let mut group = VersionGroup { packages: Vec::new(), rule: GroupRule::Fixed, unreleased: None };
        let mut has_rule = false;
        for field in self.fields(element.pairs("a list of mappings, each with `packages` and `versions`")?)? {
            match field.key {
                "packages" => group.packages = field.texts()?,
                "versions" => {
                    group.rule = field.one_of(&GroupRule::NAMES, GroupRule::Fixed)?;
                    has_rule = true;
                }
                _ => self.warn_unknown_key(field, &["packages", "versions"]),
            }
        }
        if group.packages.len() < 2 || !has_rule {
            return Err(element
                .refusal("needs two or more `packages`, and `versions`: `fixed`, `linked` or `highest`")
                .into());
        }
        Ok(group)
    }

    /// Refuses groups of packages that are not configured, or that are in two groups.
    pub(super) fn check_groups(config: &Config, field: Field<'_>) -> anyhow::Result<()> {
        let mut known = HashSet::new();
        for name in config.groups.iter().flat_map(|group| &group.packages) {
            if !known.insert(name) {
                return Err(field.refusal(&format!("has the package `{name}` twice")).into());
            }
            if !config.packages.contains_key(name) {
                let problem = field.refusal(&format!("has `{name}`, which is not one of `packages`"));
                return Err(match closest(name, config.packages.keys().map(String::as_str)) {
                    Some(near) => problem.hint(format!("did you mean `{near}`?")),
                    None => problem.hint("add it to `packages`, or leave it out"),
                }
                .into());
            }
        }
        Ok(())
    }
}
