//! `entry`: how an entry is written.

use super::{entry_templates::EntryTemplates, field::Field, reader::ConfigReader, yaml::Value};

impl<'a> ConfigReader<'a> {
    /// Reads a text, or a mapping of categories to texts.
    pub(super) fn entry_templates(&mut self, field: Field<'a>) -> anyhow::Result<EntryTemplates> {
        if !matches!(field.node.value, Value::Mapping(_)) {
            return Ok(EntryTemplates { default: field.source_text()?, ..EntryTemplates::default() });
        }
        let mut templates = EntryTemplates::default();
        for field in self.fields(field.pairs("a text, or a mapping of categories to texts")?)? {
            match field.source_text()? {
                template if field.key == EntryTemplates::DEFAULT => templates.default = template,
                template => templates.by_category.extend(template.map(|template| (field.key.to_owned(), template))),
            }
        }
        Ok(templates)
    }
}
