//! Clusters as people see them; certificates are left to `--format json`.

use std::io::{self, Write};

use crate::{
    api::clusters::Cluster,
    commands::layout::{Align, Card, Cell, Table, yes_or_no},
};

pub(super) fn table(clusters: &[Cluster], out: &mut impl Write) -> io::Result<()> {
    let left = Align::Left;
    let headings = [("ID", Align::Right), ("NAME", left), ("ENABLED", left), ("MANAGED", left)];
    let [id, name, enabled, managed] = headings;
    let mut table = Table::new([id, name, enabled, managed, ("SCOPE", left), ("PROVIDER", left), ("API", left)]);
    for cluster in clusters {
        let api = cluster.platform_kubernetes.as_ref().and_then(|platform| platform.api_url.as_ref());
        table.row([
            cluster.id.into(),
            cluster.name.as_ref().into(),
            cluster.enabled.map(yes_or_no).into(),
            cluster.managed.map(yes_or_no).into(),
            cluster.environment_scope.as_ref().into(),
            cluster.provider_type.as_ref().into(),
            Cell::from(api),
        ]);
    }
    table.write(out)
}

pub(super) fn card(cluster: &Cluster, out: &mut impl Write) -> io::Result<()> {
    let platform = cluster.platform_kubernetes.clone().unwrap_or_default();
    let manager = cluster.management_project.clone().unwrap_or_default();
    let creator = cluster.user.as_ref().and_then(|user| user.username.as_ref());
    let certificate = platform.ca_cert.filter(|text| !text.is_empty()).map(|_| "yes");
    Card::new(cluster.name.as_deref().unwrap_or_default())
        .field("id", Some(cluster.id))
        .field("project", cluster.project.as_ref().and_then(|project| project.identity.path_with_namespace.as_ref()))
        .field("domain", cluster.domain.as_ref().filter(|domain| !domain.is_empty()))
        .field("enabled", cluster.enabled.map(yes_or_no))
        .field("managed", cluster.managed.map(yes_or_no))
        .field("scope", cluster.environment_scope.as_ref())
        .field("provider", cluster.provider_type.as_ref())
        .field("platform", cluster.platform_type.as_ref())
        .field("of", cluster.cluster_type.as_ref())
        .field("API", platform.api_url.as_ref())
        .field("namespace", platform.namespace.as_ref())
        .field("authorization", platform.authorization_type.as_ref())
        .field("CA certificate", certificate)
        .field("managed from", manager.path_with_namespace.as_ref())
        .field("added by", creator)
        .field("added", cluster.created_at.as_ref())
        .write(out)
}
