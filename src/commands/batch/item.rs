//! One item of a batch: a command line, and the place it runs in.

use std::path::Path;

use indexmap::IndexMap;
use serde::Serialize;

use crate::model::mask_credentials;

/// A command, where it runs, and with what.
#[derive(Debug)]
pub(super) struct Item {
    /// Its place in the list, from 0.
    pub(super) index: usize,
    /// What its result is known by.
    pub(super) id: Option<String>,
    /// The words of the command: `repo`, `tree`.
    pub(super) command: Vec<String>,
    /// Where it runs.
    pub(super) place: ItemTarget,
    /// As they are typed: `--from=v1`.
    pub(super) options: Vec<String>,
    /// What stands behind the options.
    pub(super) arguments: Vec<String>,
}

/// Where an item runs; shown without passwords.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ItemTarget {
    #[serde(serialize_with = "shown")]
    Repo(String),
    Project(String),
    /// Where the whole run does.
    #[serde(untagged)]
    Inherited {},
}

impl Item {
    /// The arguments of the program. Options come first: what begins with a dash behind them is an argument.
    pub(super) fn command_line(&self) -> Vec<String> {
        let place = match &self.place {
            ItemTarget::Inherited {} => None,
            ItemTarget::Repo(repo) => Some(format!("--repo={repo}")),
            ItemTarget::Project(project) => Some(format!("--project={project}")),
        };
        let mut line = self.command.clone();
        line.extend(place);
        line.extend_from_slice(&self.options);
        if !self.arguments.is_empty() {
            line.push("--".to_owned());
            line.extend_from_slice(&self.arguments);
        }
        line
    }

    /// What tells it from other items and is the same in every run: the FNV-1a hash of its command line.
    pub(super) fn key(&self) -> String {
        let text = self.command_line().join("\0");
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("{hash:016x}")
    }

    /// What people know it by.
    pub(super) fn name(&self) -> String {
        let command = self.command.join(" ");
        match (&self.id, &self.place) {
            (Some(id), _) => id.clone(),
            (None, ItemTarget::Inherited {}) => command,
            (None, ItemTarget::Repo(repo)) => format!("{command} {}", mask_credentials(repo)),
            (None, ItemTarget::Project(project)) => format!("{command} {project}"),
        }
    }
}

/// The items by repository, each in the order of the list: two commands in one repository would disturb each other.
pub(super) fn queues(items: Vec<Item>) -> Vec<Vec<Item>> {
    let mut queues: IndexMap<String, Vec<Item>> = IndexMap::new();
    for item in items {
        let name = match &item.place {
            ItemTarget::Inherited {} => String::new(),
            ItemTarget::Repo(repo) => {
                Path::new(repo).canonicalize().map_or(repo.clone(), |path| path.display().to_string())
            }
            ItemTarget::Project(project) => format!("project {project}"),
        };
        queues.entry(name).or_default().push(item);
    }
    queues.into_values().collect()
}

fn shown<S: serde::Serializer>(repo: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&mask_credentials(repo))
}
