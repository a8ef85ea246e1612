//! Releases of a GitHub repository, and of one on Gitea or Forgejo, whose API differs in a few paths.

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{AttachedAsset, ExistingAsset, ExistingRelease, PublishOutcome, ReleaseApi, is_same, missing_tag, sha256};
use crate::{
    api::{
        ApiHost, ApiRequest, Body, Error, Fields, Method, Paging, Path, Result,
        client::decode_body,
        releases::{missing_project, missing_role, missing_scope},
        resources::github::{GitHub, WRITERS},
    },
    model::{Asset, ForgeRelease, LatestMark, Problem, none_if, shell_quoted},
};

/// Asks for the categories of discussions (docs.github.com, "Using the GraphQL API for Discussions").
const CATEGORIES: &str = "query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) \
                          { discussionCategories(first: 100) { nodes { name } } } }";

/// The number of pages of releases that are searched for a draft, which is as new as its tag.
const PAGES: usize = 3;

impl ReleaseApi for GitHub<'_> {
    fn find(&self, tag: &str) -> Result<Option<ExistingRelease>> {
        let sent = self.client.send(&self.request(Method::Get, "/releases/tags/:tag", &[tag]));
        match none_if(sent, |error| error.status() == Some(404))? {
            Some(release) => Ok(Some(existing_release(release, tag))),
            None => self.draft(tag),
        }
    }

    fn check_permissions(&self) -> Result<(), Problem> {
        let own = match self.client.send_request(&self.request(Method::Get, "", &[])) {
            Ok(own) => own,
            Err(error) if error.status() == Some(404) => {
                return Err(missing_project(self.client, &format!("{}/{}", self.owner, self.name)));
            }
            Err(_) => return Ok(()),
        };
        let token = self.client.credential().source().unwrap_or_default();
        // Only classic tokens have scopes, and some servers send an empty list for others.
        let scopes = own.headers.get("x-oauth-scopes").map(str::trim).filter(|scopes| !scopes.is_empty());
        let sufficient = if own.body["private"] == false { &SCOPES[..] } else { &SCOPES[..1] };
        if let Some(scopes) = scopes.filter(|scopes| !scopes.split(", ").any(|scope| sufficient.contains(&scope))) {
            return Err(missing_scope(token, scopes, SCOPES[0]));
        }
        if own.body["permissions"]["push"] == false && !self.is_installation() {
            return Err(missing_role(token, &format!("{}/{}", self.owner, self.name), "the permission to push"));
        }
        Ok(())
    }

    fn check_discussion(&self, category: &str) -> Result<(), Problem> {
        let Some(known) = self.discussion_categories() else { return Ok(()) };
        if known.iter().any(|name| name.eq_ignore_ascii_case(category)) {
            return Ok(());
        }
        let names = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let hint = if names.is_empty() {
            "turn discussions on in the settings of the repository".to_owned()
        } else {
            format!("name one of these: {names}")
        };
        Err(missing_category(category).hint(hint))
    }

    /// Creates a release with files as a draft until they are uploaded, so that nobody sees it without them, and so
    /// that it works if published releases cannot be changed.
    fn create(&self, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        self.check_tag(&release.tag)?;
        let request = self.creation(release, release.draft || !release.assets.is_empty());
        let created = self.client.send(&request).map_err(|error| explain_discussion(error, &request))?;
        Ok(existing_release(created, &release.tag))
    }

    fn update(&self, present: &ExistingRelease, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        if present.draft {
            self.check_tag(&release.tag)?;
        }
        let request = self.change(Some(present.id), release, present.draft);
        let updated = self.client.send(&request).map_err(|error| explain_discussion(error, &request))?;
        Ok(existing_release(updated, &present.tag))
    }

    fn attach(&self, release: &ExistingRelease, asset: &Asset) -> anyhow::Result<AttachedAsset> {
        let attached = release.file(&asset.name);
        if let Some(file) = attached.filter(|file| file.is_complete)
            && is_same(&asset.path, file.size, self.digest_of(file).as_deref())?
        {
            let url = file.url.clone();
            return Ok(AttachedAsset { name: asset.name.clone(), status: PublishOutcome::Unchanged, url });
        }
        if let Some(file) = attached {
            self.client.send::<()>(&self.deletion(release.id, file.id))?;
        }
        let uploaded: ReleaseAsset = self.client.send(&self.upload(Some(release.id), asset))?;
        let status = if attached.is_some() { PublishOutcome::Updated } else { PublishOutcome::Created };
        Ok(AttachedAsset { name: asset.name.clone(), status, url: uploaded.browser_download_url })
    }

    fn requests(&self, release: &ForgeRelease) -> Vec<ApiRequest> {
        if release.assets.is_empty() {
            return vec![self.creation(release, release.draft)];
        }
        let uploads = release.assets.iter().map(|asset| self.upload(None, asset));
        let publish = (!release.draft).then(|| self.change(None, release, true));
        [self.creation(release, true)].into_iter().chain(uploads).chain(publish).collect()
    }

    fn undo(&self, tag: &str) -> String {
        if !self.dialect.has_gh {
            let request = self.request(Method::Delete, "/releases/tags/:tag", &[tag]);
            let path = shell_quoted(request.path.as_str().trim_start_matches('/'));
            return format!("tidings api DELETE {path} --base-url {}", shell_quoted(&self.client.base().to_string()));
        }
        let repository = format!("{}/{}/{}", self.client.base().url().host(), self.owner, self.name);
        format!("gh release delete {} --repo {} --yes", shell_quoted(tag), shell_quoted(&repository))
    }
}

impl GitHub<'_> {
    /// Returns the digest of an attached file. Gitea sends none, so the file is read; if that fails, its content counts as
    /// another one.
    fn digest_of(&self, file: &ExistingAsset) -> Option<String> {
        let (None, Some(uuid)) = (&file.sha256, &file.uuid) else { return file.sha256.clone() };
        let request = ApiRequest::get(Path::new("/attachments/:uuid", &[uuid]));
        let content = self.client.open_request(&ApiRequest { site: ApiHost::Pages, ..request });
        Some(content.ok().and_then(|content| sha256(content).ok()).unwrap_or_default())
    }

    /// Returns the names of the categories of discussions, of which a repository has at most 25; `None` if the token may
    /// not ask for them.
    fn discussion_categories(&self) -> Option<Vec<String>> {
        let variables = json!({ "owner": self.owner, "name": self.name });
        let document = json!({ "query": CATEGORIES, "variables": variables });
        let request = ApiRequest::new(Method::Post, Path::new("/graphql", &[])).body(Body::Json(document));
        let answer = self.client.send_request(&ApiRequest { site: ApiHost::GraphQl, ..request }).ok()?.body;
        let nodes = answer["data"]["repository"]["discussionCategories"]["nodes"].as_array()?;
        Some(nodes.iter().filter_map(|node| node["name"].as_str().map(str::to_owned)).collect())
    }

    /// Returns the newest draft for a tag, if the token has access to drafts.
    fn draft(&self, tag: &str) -> Result<Option<ExistingRelease>> {
        if !self.client.credential().is_some() {
            return Ok(None);
        }
        let request = self.request(Method::Get, "/releases", &[]);
        for page in self.client.pages(request.clone(), Paging::default()).take(PAGES) {
            let releases: Vec<GitHubRelease> = decode_body(&request, &page?.rows.into())?;
            let is_it = |one: &GitHubRelease| one.draft == Some(true) && one.tag_name.as_deref() == Some(tag);
            if let Some(draft) = releases.into_iter().find(is_it) {
                return Ok(Some(existing_release(draft, tag)));
            }
        }
        Ok(None)
    }

    /// Refuses a missing tag, which GitHub would create at the tip of the default branch.
    fn check_tag(&self, tag: &str) -> anyhow::Result<()> {
        match self.client.send_request(&self.request(Method::Get, self.dialect.tag, &[tag])) {
            Ok(_) => Ok(()),
            Err(error) if error.status() == Some(404) => Err(error).context(missing_tag(tag)),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the token is that of an app's installation, such as a workflow's. An installation has no user, and so
    /// no role. Only its token may list the repositories of the installation.
    fn is_installation(&self) -> bool {
        if !self.dialect.has_installations {
            return false;
        }
        let request = ApiRequest::get(Path::new("/installation/repositories", &[]));
        let request = request.query(Fields::new().add("per_page", &1));
        self.client.send_request(&request).map_or_else(|error| error.status() != Some(403), |_| true)
    }

    /// Returns a request that changes something. The path of a dry run, which has no ID, keeps its placeholder.
    fn write(&self, method: Method, below: &str, id: Option<u64>) -> ApiRequest {
        let id = id.map(|id| id.to_string());
        self.request(method, below, id.as_deref().as_slice()).access(WRITERS)
    }

    fn deletion(&self, release: u64, file: u64) -> ApiRequest {
        let (release, file) = (release.to_string(), file.to_string());
        let (below, values) = if self.dialect.files_are_below_releases {
            ("/releases/:id/assets/:attachment_id", vec![release.as_str(), &file])
        } else {
            ("/releases/assets/:asset_id", vec![file.as_str()])
        };
        self.request(Method::Delete, below, &values).access(WRITERS)
    }

    fn creation(&self, release: &ForgeRelease, draft: bool) -> ApiRequest {
        self.write(Method::Post, "/releases", None).body(Body::Json(self.release_fields(release, draft, !draft)))
    }

    /// Returns the request that changes a release, and publishes it if it was a draft and is not to be one any more.
    fn change(&self, id: Option<u64>, release: &ForgeRelease, was_draft: bool) -> ApiRequest {
        let fields = self.release_fields(release, was_draft && release.draft, was_draft);
        self.write(Method::Patch, "/releases/:release_id", id).body(Body::Json(fields))
    }

    fn upload(&self, id: Option<u64>, asset: &Asset) -> ApiRequest {
        let request = self.write(Method::Post, "/releases/:release_id/assets", id);
        let request = request.query(Fields::new().add("name", &asset.name)).body(Body::File(asset.path.clone()));
        ApiRequest { site: ApiHost::Uploads, ..request }
    }
}

impl GitHub<'_> {
    /// Returns the fields of a release. When it is first published, `legacy` makes the highest version the latest
    /// release, and not the last one published, because releases of older lines exist. Gitea has no such choice, and
    /// GitHub none for a draft.
    fn release_fields(&self, release: &ForgeRelease, draft: bool, is_first: bool) -> Value {
        let ForgeRelease { tag, name, description, prerelease, .. } = release;
        let mut fields =
            json!({ "tag_name": tag, "name": name, "body": description, "prerelease": prerelease, "draft": draft });
        // A discussion is opened about a release that everybody sees.
        if let Some(category) = release.discussion_category.as_ref().filter(|_| is_first && !draft) {
            fields["discussion_category_name"] = category.as_str().into();
        }
        if is_first && !draft && self.client.base().forge().api().has_latest_mark {
            let latest = match release.latest {
                LatestMark::Auto => "legacy",
                LatestMark::Always => "true",
                LatestMark::Never => "false",
            };
            fields["make_latest"] = latest.into();
        }
        fields
    }
}

fn missing_category(category: &str) -> Problem {
    Problem::new(format!("the repository has no category `{category}` of discussions"))
}

/// Says what the status 404 means for a request with a category of discussions.
fn explain_discussion(error: Error, request: &ApiRequest) -> anyhow::Error {
    let Body::Json(fields) = &request.body else { return error.into() };
    let Some(category) = fields["discussion_category_name"].as_str().filter(|_| error.status() == Some(404)) else {
        return error.into();
    };
    let problem = missing_category(category)
        .hint("name one that its page \"Discussions\" has, which the settings of the repository turn on")
        .hint("run the same command again: what is done is not repeated");
    anyhow::Error::from(error).context(problem)
}

fn existing_release(release: GitHubRelease, tag: &str) -> ExistingRelease {
    let file = |asset: ReleaseAsset| ExistingAsset {
        id: asset.id,
        name: asset.name.unwrap_or_default(),
        url: asset.browser_download_url,
        size: asset.size,
        sha256: asset.digest.and_then(|digest| Some(digest.strip_prefix("sha256:")?.to_owned())),
        uuid: asset.uuid,
        is_complete: asset.state.is_none_or(|state| state == "uploaded"),
    };
    ExistingRelease {
        tag: tag.to_owned(),
        id: release.id,
        name: release.name.unwrap_or_default(),
        description: release.body.unwrap_or_default(),
        prerelease: Some(release.prerelease.unwrap_or_default()),
        draft: release.draft.unwrap_or_default(),
        url: release.html_url,
        files: release.assets.unwrap_or_default().into_iter().map(file).collect(),
    }
}

/// The scopes that allow a classic token to write: to all repositories, and to public ones (docs.github.com, "Scopes
/// for OAuth apps").
const SCOPES: [&str; 2] = ["repo", "public_repo"];

#[derive(Clone, Debug, Default, Deserialize)]
struct GitHubRelease {
    id: u64,
    /// The tag, which need not exist yet for a draft.
    tag_name: Option<String>,
    draft: Option<bool>,
    name: Option<String>,
    body: Option<String>,
    prerelease: Option<bool>,
    html_url: Option<String>,
    assets: Option<Vec<ReleaseAsset>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct ReleaseAsset {
    id: u64,
    /// The name, which is unique in a release.
    name: Option<String>,
    /// `uploaded`; anything else is left over from an interrupted upload.
    state: Option<String>,
    size: Option<u64>,
    /// `sha256:` and hexadecimal digits; older servers do not send it.
    digest: Option<String>,
    /// Only Gitea has it.
    uuid: Option<String>,
    browser_download_url: Option<String>,
}
