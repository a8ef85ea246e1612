//! The permissions and levels a role may have, and those that are meant although we do not know them.

use clap::Args;

use crate::{
    api::member_roles::{AccessLevel, PERMISSIONS},
    model::{Problem, closest},
};

/// What a role grants.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct AllowArgs {
    /// A permission the role grants; repeatable. `--help` lists them.
    #[arg(long, value_name = "PERMISSION", long_help = permissions_help())]
    allow: Vec<String>,
    /// Take permissions and levels that newer servers may know.
    #[arg(long)]
    allow_unknown: bool,
}

impl AllowArgs {
    /// The permissions, each once.
    pub(super) fn permissions(&self) -> Result<Vec<String>, Problem> {
        let mut permissions: Vec<String> = Vec::new();
        for name in &self.allow {
            if !self.allow_unknown && !is_permission(name) {
                let problem = Problem::usage(format!("`--allow {name}`: no such permission"));
                return Err(problem.hint(other_permission(name)));
            }
            if !permissions.contains(name) {
                permissions.push(name.clone());
            }
        }
        Ok(permissions)
    }

    pub(super) fn check_level(&self, option: &str, level: AccessLevel) -> Result<(), Problem> {
        if self.allow_unknown || level.name().is_some() {
            return Ok(());
        }
        let problem = Problem::usage(format!("`{option} {level}`: no such level"));
        Err(problem.hint(format!("it is one of {}; --allow-unknown takes any number", levels())))
    }
}

pub(super) fn is_permission(name: &str) -> bool {
    PERMISSIONS.iter().any(|permission| permission.name == name)
}

/// What to do about an unknown permission.
pub(super) fn other_permission(name: &str) -> String {
    match closest(name, PERMISSIONS.iter().map(|permission| permission.name)) {
        Some(near) => format!("did you mean `{near}`? --allow-unknown takes `{name}` as it is"),
        None => "`tidings role create --help` lists them; --allow-unknown takes what newer servers know".to_owned(),
    }
}

/// Every level by name and number.
pub(super) fn levels() -> String {
    let levels = AccessLevel::NAMES.iter().map(|(name, level)| format!("{name} ({})", level.0));
    levels.collect::<Vec<_>>().join(", ")
}

fn permissions_help() -> String {
    let lines = PERMISSIONS.iter().map(|permission| format!("\n  {:<30} {}", permission.name, permission.allows));
    format!("A permission the role grants; repeatable:\n{}", lines.collect::<String>())
}
