//! The options of every command that finds the next version.

use clap::ValueEnum;

use crate::{model::BumpLevel, pipeline::BumpOptions};

/// How the next version is chosen.
#[derive(clap::Args, Clone, Debug)]
pub struct BumpArgs {
    /// Bump this part of the version, whatever the categories imply.
    #[arg(long, value_enum)]
    level: Option<VersionPart>,
    /// Make a pre-release of this name: `rc` gives rc.1, then rc.2.
    #[arg(long, value_name = "NAME")]
    pre: Option<String>,
    /// Add build metadata.
    #[arg(long, value_name = "META")]
    build: Option<String>,
    /// The first version, used if there is no stable tag yet.
    #[arg(long, value_name = "VERSION", default_value = "0.1.0")]
    initial: semver::Version,
}

/// A part of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VersionPart {
    Major,
    Minor,
    Patch,
}

impl From<VersionPart> for BumpLevel {
    fn from(part: VersionPart) -> Self {
        match part {
            VersionPart::Major => Self::Major,
            VersionPart::Minor => Self::Minor,
            VersionPart::Patch => Self::Patch,
        }
    }
}

impl BumpArgs {
    /// The wish these options make.
    #[must_use]
    pub fn options(&self) -> BumpOptions {
        BumpOptions {
            level: self.level.map(BumpLevel::from),
            pre: self.pre.clone(),
            build: self.build.clone(),
            initial: self.initial.clone(),
        }
    }
}
