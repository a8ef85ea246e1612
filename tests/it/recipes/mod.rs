//! The recipes of the pages, run as they are written: through the checkouts of GitHub's, Gitea's and GitLab's runners.

mod github;
mod gitlab;
mod world;
