//! No files use each other in a circle: a reader who follows the uses from any file comes to an end.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use syn::{
    Attribute, File, Item, ItemMod, ItemUse, UseTree, Visibility,
    visit::{self, Visit},
};

use super::sources;

type Names = Vec<String>;

/// The paths a file names, and what its `use` items bring in.
#[derive(Default)]
struct FilePaths {
    module: Names,
    /// What is used in the code itself: `a::b` of expressions and types, and each leaf of a private `use`.
    used: Vec<Names>,
    /// Local name to path, of private and public `use` items alike.
    imports: HashMap<String, Names>,
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Meta>().is_ok_and(|meta| match meta {
                syn::Meta::Path(path) => path.is_ident("test"),
                syn::Meta::List(list) => list.path.is_ident("any") && list.tokens.to_string().contains("test"),
                syn::Meta::NameValue(_) => false,
            })
    })
}

impl FilePaths {
    fn read(name: &str, file: &File) -> Self {
        let stem = name.trim_end_matches(".rs").trim_end_matches("/mod");
        let module = stem.split('/').filter(|part| *part != "lib").map(str::to_owned).collect();
        let mut paths = Self { module, ..Self::default() };
        paths.visit_file(file);
        paths
    }

    fn take_tree(&mut self, tree: &UseTree, mut prefix: Names, is_public: bool) {
        let mut leaf = |path: Names, local: &syn::Ident| {
            self.imports.insert(local.to_string(), path.clone());
            if !is_public {
                self.used.push(path);
            }
        };
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.take_tree(&path.tree, prefix, is_public);
            }
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = prefix.last().cloned() {
                    leaf(prefix, &syn::Ident::new(&last, name.ident.span()));
                }
            }
            UseTree::Name(name) => {
                prefix.push(name.ident.to_string());
                leaf(prefix, &name.ident);
            }
            UseTree::Rename(rename) => {
                prefix.push(rename.ident.to_string());
                leaf(prefix, &rename.rename);
            }
            UseTree::Glob(_) => self.used.push([prefix, vec!["*".to_owned()]].concat()),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.take_tree(tree, prefix.clone(), is_public));
            }
        }
    }
}

impl<'ast> Visit<'ast> for FilePaths {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => {
                visit::visit_item(self, item);
                return;
            }
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        assert!(item.content.is_none(), "a module within a file is for tests alone: `{}`", item.ident);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.take_tree(&item.tree, Vec::new(), !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.used.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

struct Crate {
    files: BTreeMap<Names, FilePaths>,
}

impl Crate {
    /// The path from the root of the crate, or `None` if it begins outside of it.
    fn absolute(&self, file: &FilePaths, path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => Vec::new(),
            "self" => file.module.clone(),
            "super" => {
                let mut rest = rest;
                let mut start = file.module.clone();
                start.pop();
                while rest.first().is_some_and(|name| name == "super") {
                    start.pop();
                    rest = &rest[1..];
                }
                return Some([start, rest.to_vec()].concat());
            }
            name if self.files.contains_key(&child(&file.module, name)) => child(&file.module, name),
            name if !rest.is_empty() => {
                let import = file.imports.get(name).filter(|import| import[0] != name)?;
                self.absolute(file, import)?
            }
            _ => return None,
        };
        Some([start, rest.to_vec()].concat())
    }

    /// The module that defines what a path names, through the `pub use` of others; `None` for a module itself.
    fn definer(&self, path: &[String]) -> Option<&Names> {
        let depth = (0..path.len()).rev().find(|&depth| self.files.contains_key(&path[..depth]))?;
        if self.files.contains_key(path) {
            return None;
        }
        let (module, file) = self.files.get_key_value(&path[..depth])?;
        let imported = file.imports.get(&path[depth]).and_then(|import| self.absolute(file, import));
        imported.filter(|import| import != path).map_or(Some(module), |import| self.definer(&import))
    }

    fn uses(&self) -> BTreeMap<&Names, BTreeSet<&Names>> {
        let used = |file: &FilePaths| {
            let paths = file.used.iter().filter_map(|path| self.absolute(file, path));
            paths.filter_map(|path| self.definer(&path)).filter(|&used| *used != file.module).collect()
        };
        self.files.iter().map(|(module, file)| (module, used(file))).collect()
    }
}

fn child(module: &[String], name: &str) -> Names {
    [module, &[name.to_owned()]].concat()
}

/// All that a module leads to, use by use.
fn reachable<'a>(uses: &BTreeMap<&'a Names, BTreeSet<&'a Names>>, start: &'a Names) -> BTreeSet<&'a Names> {
    let (mut found, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(module) = open.pop() {
        open.extend(uses[module].iter().filter(|used| found.insert(**used)));
    }
    found
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let files = sources().into_iter().filter(|(name, _)| name != "main.rs");
    let files = files.map(|(name, code)| {
        let file = syn::parse_file(&code).unwrap_or_else(|error| panic!("src/{name}: {error}"));
        let paths = FilePaths::read(&name, &file);
        (paths.module.clone(), paths)
    });
    let program = Crate { files: files.collect() };
    let uses = program.uses();
    let reachable: BTreeMap<_, _> = uses.keys().map(|module| (*module, reachable(&uses, module))).collect();
    let on_circle = uses.iter().flat_map(|(module, uses)| uses.iter().map(move |used| (*module, *used)));
    let on_circle = on_circle.filter(|(module, used)| reachable[used].contains(module));
    let lines: Vec<_> =
        on_circle.map(|(module, used)| format!("{} uses {}", module.join("::"), used.join("::"))).collect();
    assert!(lines.is_empty(), "files use each other in a circle:\n{}", lines.join("\n"));
}
