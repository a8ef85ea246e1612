//! GitHub's `.github/release.yml`, whose categories are taken over if the configuration has none for labels
//! (docs.github.com, "Automatically generated release notes").

use super::{
    CHANGES, Config, Field, ForeignConfig,
    labels::{LabelRules, LabelledCategory, RequestFilter},
};

/// The places in which GitHub looks for the file.
pub(crate) const RELEASE_FILES: [&str; 2] = [".github/release.yml", ".github/release.yaml"];

/// Takes the file over into a configuration: its rules, and its titles in their order.
pub(crate) fn take_release_file(config: &mut Config, bytes: &[u8], path: &str) -> anyhow::Result<()> {
    let file = ForeignConfig::parse(bytes, path)?;
    let mut rules = LabelRules::default();
    for field in changelog(&file)? {
        match field.key() {
            "exclude" => rules.left_out = filter(&field)?,
            "categories" => {
                for element in field.elements()? {
                    rules.categories.push(category(&element)?);
                }
            }
            _ => {}
        }
    }
    let known = std::mem::take(&mut config.categories);
    let titles = rules.categories.iter().map(|category| (category.name.clone(), category.name.clone()));
    config.categories = titles.chain([(CHANGES.to_owned(), "Other Changes".to_owned())]).chain(known).collect();
    config.labels = rules;
    Ok(())
}

fn changelog(file: &ForeignConfig) -> anyhow::Result<Vec<Field<'_>>> {
    let changelog = file.fields()?.into_iter().find(|field| field.key() == "changelog");
    changelog.map_or_else(|| Ok(Vec::new()), |field| field.fields())
}

fn category(element: &Field) -> anyhow::Result<LabelledCategory> {
    let mut category = LabelledCategory::default();
    for field in element.fields()? {
        match field.key() {
            "title" => category.name = field.filled()?,
            "labels" => category.labels = field.texts()?,
            "exclude" => category.excluded = filter(&field)?,
            _ => {}
        }
    }
    if category.name.is_empty() {
        return Err(element.refusal("needs a `title` for each category").into());
    }
    Ok(category)
}

fn filter(field: &Field) -> anyhow::Result<RequestFilter> {
    let mut filter = RequestFilter::default();
    for field in field.fields()? {
        match field.key() {
            "labels" => filter.labels = field.texts()?,
            "authors" => filter.authors = field.texts()?,
            _ => {}
        }
    }
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{LabelVerdict, labels::tests::request};

    #[test]
    fn the_file_of_github_is_read_with_what_it_excludes() {
        let text = "changelog:\n  exclude:\n    labels: [skip]\n    authors: [octobot]\n  categories:\n    \
                    - title: New 🎉\n      labels: [enhancement]\n      exclude: { labels: [breaking], authors: [olaf] }\n    \
                    - title: Rest\n      labels: ['*']\n      exclude: { labels: [dependencies] }\n";
        let mut config = Config::default();
        take_release_file(&mut config, text.as_bytes(), ".github/release.yml").unwrap();
        for (labels, author, expected) in [
            (&["enhancement"][..], "ida", LabelVerdict::Category("New 🎉")),
            (&["enhancement", "breaking"], "ida", LabelVerdict::Category("Rest")),
            (&["enhancement"], "olaf", LabelVerdict::Category("Rest")),
            (&["enhancement", "Skip"], "ida", LabelVerdict::LeftOut("skip")),
            (&["enhancement"], "octobot[bot]", LabelVerdict::LeftOut("octobot")),
            (&["dependencies"], "ida", LabelVerdict::Unlabelled),
            (&[], "ida", LabelVerdict::Category("Rest")),
        ] {
            assert_eq!(config.labels.judge(&request(labels, author)), expected, "{labels:?} {author}");
        }
        let titles: Vec<_> = config.categories.values().map(String::as_str).collect();
        assert_eq!(titles, ["New 🎉", "Rest", "Other Changes"]);
    }

    #[test]
    fn a_category_without_a_title_is_refused_with_its_line() {
        let text = "changelog:\n  categories:\n    - labels: [a]\n";
        let error = take_release_file(&mut Config::default(), text.as_bytes(), ".github/release.yml").unwrap_err();
        assert!(error.to_string().starts_with(".github/release.yml:3:7: `categories` needs a `title`"), "{error}");
    }
}
