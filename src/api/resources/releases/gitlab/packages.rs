//! Files of a GitLab project: its package registry, which takes them from a job's token too.

use std::path::PathBuf;

use serde::Deserialize;

use crate::api::{Body, Endpoint, Fields, Method, Paged, Path};

const DEVELOPERS: &str = "the role Developer and up in the project, and its package registry switched on";

/// A package: the files of a version.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RegistryPackage {
    /// Its number.
    pub id: u64,
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
}

/// A file of a package; of several with one name the newest counts.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PackageFile {
    /// Its number; higher is newer.
    pub id: u64,
    /// Its name.
    pub file_name: Option<String>,
    /// In bytes.
    pub size: Option<u64>,
    /// In hexadecimal digits.
    pub file_sha256: Option<String>,
}

/// `GET /projects/:id/packages`
#[derive(Clone, Debug, Default)]
pub struct ListPackages {
    /// Id or path.
    pub project: String,
    /// Packages whose name has this in it.
    pub name: String,
    /// Those of this version, where the service is new enough to leave out the others.
    pub version: String,
}

impl Endpoint for ListPackages {
    type Output = Vec<RegistryPackage>;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        packages(&self.project)
    }

    fn query(&self) -> Fields {
        let fields = Fields::new().add("package_type", "generic").add("package_name", &self.name);
        fields.add("package_version", &self.version)
    }
}

impl Paged for ListPackages {
    type Item = RegistryPackage;
}

/// `GET /projects/:id/packages/:package_id/package_files`
#[derive(Clone, Debug, Default)]
pub struct ListPackageFiles {
    /// Id or path.
    pub project: String,
    /// The package.
    pub package: u64,
}

impl Endpoint for ListPackageFiles {
    type Output = Vec<PackageFile>;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        packages(&self.project).arg("package_id", self.package.to_string()).lit("package_files")
    }
}

impl Paged for ListPackageFiles {
    type Item = PackageFile;
}

/// `PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name`
#[derive(Clone, Debug, Default)]
pub struct UploadPackageFile {
    /// Id or path.
    pub project: String,
    /// The package, made where it is not there.
    pub package: String,
    /// Its version.
    pub version: String,
    /// What the file is called.
    pub name: String,
    /// Where it lies.
    pub file: PathBuf,
}

impl Endpoint for UploadPackageFile {
    type Output = serde_json::Value;
    const METHOD: Method = Method::Put;
    const REQUIRED_ACCESS: &'static str = DEVELOPERS;

    fn path(&self) -> Path {
        let package = packages(&self.project).lit("generic").arg("package_name", &self.package);
        package.arg("package_version", &self.version).arg("file_name", &self.name)
    }

    fn body(&self) -> Body {
        Body::File(self.file.clone())
    }

    fn precondition(&self) -> &'static str {
        "a file may be sent again only where the package registry's settings allow duplicates"
    }
}

fn packages(project: &str) -> Path {
    Path::root("projects").arg("id", project).lit("packages")
}
