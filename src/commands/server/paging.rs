//! Lists: how much of them is fetched.

use clap::Args;
use serde_json::Value;

use super::Server;
use crate::{
    api::{ApiRequest, Paging},
    commands::Session,
};

/// So many rows are fetched unless all are asked for.
const ROWS: usize = 1000;

/// Which part of a list.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct PageArgs {
    /// Fetch only this page.
    #[arg(long, value_name = "N", value_parser = parse_page)]
    pub page: Option<u64>,
    /// Rows on a page; default: 100.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub per_page: Option<u32>,
    /// Fetch all pages [default: the first 1000 rows].
    #[arg(long, conflicts_with = "page")]
    pub all: bool,
}

impl Server {
    /// Fetches a list, and says so where it has more.
    ///
    /// # Errors
    ///
    /// As [`crate::api::Client::send_request`].
    pub fn list(&self, session: &Session, request: ApiRequest, args: PageArgs) -> crate::api::Result<Vec<Value>> {
        let paging = Paging { page: args.page, per_page: args.per_page };
        let mut rows = Vec::new();
        for page in self.client.pages(request, paging) {
            let page = page?;
            rows.extend(page.rows);
            if page.has_next && args.page.is_none() && !args.all && rows.len() >= ROWS {
                session.note(&format!("these are the first {}; --all lists the rest", rows.len()));
                break;
            }
        }
        self.narrator.finish();
        Ok(rows)
    }
}

fn parse_page(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|page| *page > 0).ok_or("pages are numbered from 1")
}
