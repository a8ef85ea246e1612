// The headings of a section that is shown as a quotation are not those of the page: the menu lists only what has an ID.
for (const heading of document.querySelectorAll('main blockquote :is(h1, h2, h3, h4)')) {
    heading.removeAttribute('id');
}

// Some pages are not below docs in the repository: their link to edit them leads to where they are.
const edit = document.querySelector('a[rel="edit"]');
if (edit) {
    edit.href = edit.href
        .replace(/\/docs\/(CONTRIBUTING|SECURITY|CHANGELOG|testdata\/README)\.md$/, '/$1.md')
        .replace(/\/docs\/reference\.md$/, '/packaging/docs/reference');
}
