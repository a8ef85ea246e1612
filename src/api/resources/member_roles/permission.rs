//! The permissions a role can grant.

/// A permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// Its name, which is its field in the API.
    pub name: &'static str,
    /// What it allows, in words that fit behind "may".
    pub allows: &'static str,
}

const fn permission(name: &'static str, allows: &'static str) -> Permission {
    Permission { name, allows }
}

/// The permissions of the service's contract; newer services know more.
pub const PERMISSIONS: [Permission; 20] = [
    permission("admin_cicd_variables", "create, read, change and delete CI/CD variables"),
    permission("admin_compliance_framework", "administer compliance frameworks"),
    permission("admin_group_member", "add and remove members of a group and assign them roles"),
    permission("admin_merge_request", "approve merge requests"),
    permission("admin_push_rules", "set the push rules of groups and projects"),
    permission("admin_terraform_state", "administer the Terraform state of projects"),
    permission("admin_vulnerability", "change vulnerabilities, their state and issues included"),
    permission("admin_web_hook", "administer web hooks"),
    permission("archive_project", "archive projects"),
    permission("manage_deploy_tokens", "manage deploy tokens"),
    permission("manage_group_access_tokens", "manage access tokens of groups"),
    permission("manage_merge_request_settings", "change the settings of merge requests"),
    permission("manage_project_access_tokens", "manage access tokens of projects"),
    permission("manage_security_policy_link", "link projects with security policies"),
    permission("read_code", "read the code of projects"),
    permission("read_runners", "see the runners of projects"),
    permission("read_dependency", "see what projects depend on"),
    permission("read_vulnerability", "see the vulnerabilities of projects"),
    permission("remove_group", "delete and restore groups"),
    permission("remove_project", "delete projects"),
];
