// Makes markup of data: what the templates of every design are written with.
const ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"};
let paper;

// What a design may do otherwise: how it ends its markup, and what it writes into the title bar.
const design = {finish: (text) => text, entitle: (title) => `${title} | ${paper.name}`};

class Markup {
  constructor(text) { this.text = text; }
}

function show(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(show).join("");
  return value ? String(value).replace(/[&<>"]/g, (character) => ESCAPES[character]) : "";
}

function html(pieces, ...values) {
  return new Markup(pieces.map((piece, place) => piece + show(values[place])).join(""));
}

function joined(values, gap) {
  return values.flatMap((value, place) => (place ? [gap, value] : [value]));
}

function filled(template, slots) {
  return template.split(/\{(\w+)\}/).map((piece, place) => (place % 2 ? slots[piece] : piece));
}

function marked(text, part, mark) {
  const start = part ? text.indexOf(part) : -1;
  return start < 0 ? text : [text.slice(0, start), mark(part), text.slice(start + part.length)];
}

const label = (name) => paper.labels[name];
const headline = (story) => marked(story.title, story.emphasis, (part) => html`<em>${part}</em>`);
const full = (picture) => picture.renditions.at(-1).path;
const sources = (picture) => picture.renditions.map(({path, width}) => `${path} ${width}w`).join(", ");

function image(picture) {
  return html`<img src="${picture.renditions[0].path}" srcset="${sources(picture)}" sizes="(min-width: 60em) 44rem, 100vw"
    width="${picture.width}" height="${picture.height}" alt="${picture.caption}">`;
}

function table([head, ...rows]) {
  const lines = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`);
  return html`<table><thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead><tbody>${lines}</tbody></table>`;
}
