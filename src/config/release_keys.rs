//! The keys about releases, and what each sets in [`Config`].

use std::sync::Arc;

use super::{Config, Versioning, field::Field, keys::ConfigReader, yaml::Scalar};
use crate::model::LatestMark;

impl<'a> ConfigReader<'a> {
    /// Sets the value of a key about releases; `false` if it is not one of these.
    pub(super) fn apply_release(&mut self, config: &mut Config, field: Field<'a>) -> anyhow::Result<bool> {
        match field.key {
            "packages" => config.packages = Arc::new(self.packages(field)?),
            "groups" => config.groups = self.groups(field)?,
            "versioning" => config.versioning = versioning(field)?,
            "version_files" => config.version_files = self.version_files(field, None)?,
            "dependents" => {
                config.raises_all_dependents = field.node.as_written() == Some("always");
                config.ignores_dependents =
                    !config.raises_all_dependents && field.node.scalar() != Some(Scalar::Null) && !field.flag()?;
            }
            "hooks" => config.hooks = self.hooks(field)?,
            "draft" => config.drafts_release = field.node.scalar() != Some(Scalar::Null) && field.flag()?,
            "latest" => config.latest = field.one_of(&LatestMark::NAMES, LatestMark::Auto)?,
            "message" => config.release.message = field.text()?.filter(|text| !text.trim().is_empty()),
            "remote" => config.release.remote = field.text()?,
            "sign" => config.release.signs = field.node.scalar() != Some(Scalar::Null) && field.flag()?,
            "assets" => config.release.assets = field.texts()?,
            "comment_on_requests" => {
                config.release.comments = field.node.scalar() != Some(Scalar::Null) && field.flag()?;
            }
            "commit_through_api" => {
                config.release.commits_through_api = field.node.scalar() != Some(Scalar::Null) && field.flag()?;
            }
            "prerelease" => {
                config.release.prerelease = field.node.scalar() != Some(Scalar::Null) && field.flag()?;
            }
            "discussion_category" => {
                config.release.discussion_category = field.text()?.filter(|name| !name.trim().is_empty());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn versioning(field: Field) -> anyhow::Result<Versioning> {
    let Some(text) = field.text()? else { return Ok(Versioning::default()) };
    Versioning::parse(&text).map_err(|why| {
        field.refusal(&why).hint("write `semver`, or parts of calver.org such as `YYYY.0M.MICRO`").into()
    })
}
