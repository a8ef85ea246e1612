//! The options of every command that finds the next version.

use clap::ValueEnum;

use crate::{model::Level, pipeline::Wish};

/// What the next version shall be.
#[derive(clap::Args, Clone, Debug)]
pub struct WishArgs {
    /// Raise this part, whatever the categories ask for.
    #[arg(long, value_enum)]
    level: Option<Part>,
    /// Make a pre-release of this name: `rc` gives rc.1, then rc.2.
    #[arg(long, value_name = "NAME")]
    pre: Option<String>,
    /// Add build metadata.
    #[arg(long, value_name = "META")]
    build: Option<String>,
    /// The version where there is no stable tag yet.
    #[arg(long, value_name = "VERSION", default_value = "0.1.0")]
    initial: semver::Version,
}

/// A part of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Major,
    Minor,
    Patch,
}

impl From<Part> for Level {
    fn from(part: Part) -> Self {
        match part {
            Part::Major => Self::Major,
            Part::Minor => Self::Minor,
            Part::Patch => Self::Patch,
        }
    }
}

impl WishArgs {
    /// The wish these options make.
    #[must_use]
    pub fn wish(&self) -> Wish {
        Wish {
            level: self.level.map(Level::from),
            pre: self.pre.clone(),
            build: self.build.clone(),
            initial: self.initial.clone(),
        }
    }
}
