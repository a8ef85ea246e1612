// The headings of a section that is shown as a quotation are not those of the page: the menu lists only what has an ID.
for (const heading of document.querySelectorAll('main blockquote :is(h1, h2, h3, h4)')) {
    heading.removeAttribute('id');
}
