//! The options of every command that reads the settings.

use crate::pipeline::ConfigSource;

/// Where the settings come from, and what of them counts.
#[derive(clap::Args, Clone, Debug)]
pub struct ConfigArgs {
    /// Read the settings from this file; default: `.service/changelog_config.yml`, else
    /// `.gitlab/changelog_config.yml`.
    #[arg(long, value_name = "PATH")]
    pub config_file: Option<String>,
    /// Read the configuration from this commit instead of the work tree.
    #[arg(long, value_name = "REF")]
    pub config_ref: Option<String>,
    /// Work on this package of the configuration: its paths, tags and changelog file.
    #[arg(long, value_name = "NAME")]
    pub package: Option<String>,
}

impl ConfigArgs {
    /// The place these options name.
    #[must_use]
    pub fn source(&self) -> ConfigSource {
        ConfigSource {
            file: self.config_file.clone(),
            revision: self.config_ref.clone(),
            package: self.package.clone(),
        }
    }
}
