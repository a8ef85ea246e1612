//! The end of the section of a version that is released: its tag, unless GitLab's rule applies, or an end is given.

use crate::pipeline::{base::tags::Tags, scope::Scope};

impl Scope<'_> {
    /// Lets the range end at the tag of the version, if there is one and the request leaves the end open.
    pub(crate) fn end_at_tag(mut self) -> anyhow::Result<Self> {
        let is_open = self.request.range.is_end_open && !self.config().is_gitlab_file;
        let Some(version) = self.request.version.as_ref().filter(|_| is_open) else { return Ok(self) };
        let wanted = version.to_string();
        let mut request = self.request.clone();
        request.range.is_end_open = false;
        if self.tag_names()?.iter().any(|tag| tag.ends_with(&wanted))
            && let Some(tag) = Tags::for_range(&self)?.named_after(version)
        {
            request.range.to = format!("refs/tags/{tag}");
            return self.with_request(request);
        }
        self.request = request;
        Ok(self)
    }
}
