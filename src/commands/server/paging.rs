//! Lists, and how much of them is fetched.

use clap::Args;
use serde_json::Value;

use super::Server;
use crate::{
    api::{ApiRequest, Paging},
    model::Warning,
};

/// The number of rows that are shown to people, unless they ask for more.
const ROWS: usize = 1000;

/// Which part of a list to fetch.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct PageArgs {
    /// Fetch only this page.
    #[arg(long, value_name = "N", value_parser = parse_page)]
    pub page: Option<u64>,
    /// Number of rows on a page [default: 100].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub per_page: Option<u32>,
    /// Maximum number of rows to list [default: 1000, with `--format json` all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "page")]
    pub limit: Option<u32>,
    /// Fetch all pages, however many there are.
    #[arg(long, conflicts_with_all = ["page", "limit"])]
    pub all: bool,
}

impl PageArgs {
    /// All rows.
    pub(in crate::commands) fn whole() -> Self {
        Self { per_page: Some(100), all: true, ..Self::default() }
    }
}

impl Server {
    /// Fetches a list page by page. For people, it ends after 1000 rows unless they ask for more, and a warning is returned;
    /// for machines, it is complete.
    ///
    /// # Errors
    /// If the server refuses or cannot be reached, or `take` fails.
    pub fn list(
        &self,
        request: ApiRequest,
        args: PageArgs,
        for_machines: bool,
        mut take: impl FnMut(Vec<Value>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Option<Warning>> {
        let default = if args.all || args.page.is_some() || for_machines { usize::MAX } else { ROWS };
        let mut left = args.limit.map_or(default, |limit| limit as usize);
        let per_page = args.per_page.or(args.limit.map(|limit| limit.min(100)));
        for page in self.client.pages(request, Paging { page: args.page, per_page }) {
            let mut page = page?;
            let is_cut = page.rows.len() > left || page.has_next && page.rows.len() == left;
            page.rows.truncate(left);
            left -= page.rows.len();
            take(page.rows)?;
            if left == 0 {
                self.reporter.finish();
                let warning =
                    || Warning::new(format!("only the first {ROWS} rows are listed")).hint("use `--all` for the rest");
                return Ok((is_cut && args.limit.is_none()).then(warning));
            }
        }
        self.reporter.finish();
        Ok(None)
    }
}

fn parse_page(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|page| *page > 0).ok_or("it must be a number from 1")
}
