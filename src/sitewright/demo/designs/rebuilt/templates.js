// The templates of the rebuilt design, in the markup that its static pages have.
const BADGES = {gallery: "photos", video: "video", live: "live"};

design.entitle = (title) => `${paper.name}: ${title}`;

// Pictures and teasers

function legend({caption, credit}) {
  return html`<div class="legend"><span class="legend-words">${caption}</span> <span class="legend-source">${credit}</span></div>`;
}

function shot(picture, size = "wide") {
  return html`<div class="shot shot-${size}"><a class="shot-full" href="${full(picture)}">${image(picture)}</a>${legend(picture)}</div>`;
}

function badge({type}) {
  return BADGES[type] && html` <i class="badge badge-${type}">${label(BADGES[type])}</i>`;
}

function teaser(story, size) {
  return html`<a class="teaser teaser-${size}" href="${story.path}">
    ${story.picture && html`<span class="teaser-picture">${image(story.picture)}</span>`}<span class="teaser-words">
    <span class="teaser-desk">${story.section.name}${badge(story)}</span>
    <strong class="teaser-headline">${headline(story)}</strong>
    ${story.subtitle && html`<span class="teaser-blurb">${story.subtitle}</span>`}
    <span class="teaser-time">${story.published_text}</span></span></a>`;
}

const items = (stories, size) => stories.map((story) => html`<li>${teaser(story, size)}</li>`);
const row = (stories, size) => html`<ul class="row row-${size}">${items(stories, size)}</ul>`;

// What stands round a story

function opener(story, {isHeading = true, flag = ""} = {}) {
  const desks = story.sections.map(({name, path}) => html`<a href="${path}">${name}</a>`);
  const title = isHeading
    ? html`<h2 class="headline">${headline(story)}</h2>`
    : html`<div role="heading" aria-level="1" class="headline">${headline(story)}</div>`;
  return html`<div class="opener"><div class="desks">${joined(desks, " ")}${flag}</div>${title}
    ${story.subtitle && html`<div class="intro">${story.subtitle}</div>`}</div>`;
}

function written(story) {
  const people = story.authors.map(({name, path}) => html`<a href="${path}">${name}</a>`);
  const plain = story.authors.map(({name}) => name);
  const names = story.agency ? [html`<b>${story.agency}</b>`] : paper.plain_bylines && plain.length > 1 ? plain : people;
  if (!names.length) return "";
  const text = filled(paper.byline, {names: joined(names, paper.list_gap)});
  return html`<div class="written">${story.desk ? filled(paper.byline_role, {byline: text, desk: story.desk}) : text}</div>`;
}

function facts(story) {
  const shown = [["published", "published", "released"], ["modified", "updated", "revised"]].filter(([name]) => story[name]);
  return html`<dl class="facts">${shown.map(([name, word, css]) =>
    html`<dt>${label(word)}</dt><dd class="${css}" data-moment="${story[name]}">${story[`${name}_text`]}</dd>`)}</dl>`;
}

function writers({authors}) {
  return authors.map(({name, path, about, portrait}) => html`<div class="writer"><img src="${portrait}" width="72" height="72" alt="">
    <div>${marked(about, name, (part) => html`<a href="${path}">${part}</a>`)}</div></div>`);
}

function spread({path}) {
  const url = paper.url + path.slice(1);
  const buttons = ["Chirp", "Facegram", "Pinwall"].map((name) =>
    html`<a rel="nofollow" href="https://${name.toLowerCase()}.example/share?url=${url}">${name}</a>`);
  return html`<div class="spread"><span>${label("share")}</span>${buttons}<a href="mailto:?body=${url}">${label("mail")}</a></div>`;
}

function colophon(story) {
  return html`<aside class="colophon">${written(story)}${facts(story)}${writers(story)}${spread(story)}</aside>`;
}

function topics({tags}) {
  const links = tags.map(({name, path}) => html`<a href="${path}">${name}</a>`);
  return html`<nav class="topics"><h4>${label("tags")}</h4>${joined(links, " ")}</nav>`;
}

function promo(story) {
  const links = story.related.slice(0, 3).map(({path, title}) => html`<a href="${path}">${title}</a>`);
  return html`<div class="promo"><h4>${label("related")}</h4>${links}</div>`;
}

function nudge(story) {
  const {path, title} = story.related.at(-1);
  return html`<div class="nudge"><span>${label("read_also")}</span> <a href="${path}">${title}</a></div>`;
}

function signup() {
  return html`<form class="signup" action="/about/" method="get"><h4>${label("newsletter_title")}</h4>
    <div>${label("newsletter_text")}</div><input type="email" name="mail" placeholder="${label("newsletter_field")}">
    <button class="choice">${label("newsletter_button")}</button></form>`;
}

function advert(slot) {
  return html`<div class="advert" data-slot="${slot}"><a rel="sponsored" href="/about/?utm_campaign=${slot}">
    <img src="/assets/banner.svg" width="600" height="150" alt=""></a><span>${label("advertisement")}</span></div>`;
}

function voices({comments}) {
  const all = comments.map((comment) => html`<div class="voice"><b>${comment.name}</b>
    <time datetime="${comment.published}">${comment.published_text}</time><div>${comment.text}</div></div>`);
  return html`<div class="voices"><h4>${label("comments")} (${String(all.length)})</h4>${all}</div>`;
}

function popular(stories) {
  const links = stories.map(({path, title}) => html`<li><a href="${path}?at=popular">${title}</a></li>`);
  return html`<div class="popular"><h4>${label("most_read")}</h4><ol>${links}</ol></div>`;
}

// The text of a story

const BLOCKS = {
  paragraph: ({text}) => html`<p>${text}</p>`,
  heading: ({text}) => html`<h3>${text}</h3>`,
  quote: ({text}) => html`<div class="pull">${text}</div>`,
  bullets: ({items}) => html`<ul class="points">${items.map((item) => html`<li>${item}</li>`)}</ul>`,
  table: ({rows}) => html`<div class="numbers">${table(rows)}</div>`,
  figure: ({picture}) => shot(picture),
};
const piece = (block) => ({markup: BLOCKS[block.type](block), isText: block.type !== "figure"});
const other = (markup) => ({markup, isText: false});

// Runs of text stand in sections, everything else between these.
function passages(pieces) {
  const runs = [];
  for (const {markup, isText} of pieces) {
    if (isText && runs.at(-1)?.isText) runs.at(-1).markup.push(markup);
    else runs.push({markup: [markup], isText});
  }
  return runs.map(({markup, isText}) => (isText ? html`<section class="passage">${markup}</section>` : markup));
}

const text = (blocks) => passages(blocks.map(piece));

function copy(story) {
  const pieces = story.body.map((block) => [piece(block)]);
  const paragraphs = [...story.body.keys()].filter((place) => story.body[place].type === "paragraph");
  const place = (part) => html`<a href="${story.tags[0].path}">${part}</a>`;
  pieces[0][0].markup = html`<p>${marked(story.body[0].text, story.place, place)}</p>`;
  pieces[paragraphs.at(-2)].push(other(signup()));
  pieces[paragraphs[2]].push(other(promo(story)));
  pieces[paragraphs[1]].push(other(story.id % 2 ? advert("middle") : nudge(story)));
  return passages(pieces.flat());
}

// One template a kind of page

function layout(story, column) {
  return html`<div class="layout"><div class="column">${column}${voices(story)}${topics(story)}</div>${colophon(story)}</div>`;
}

function article(story) {
  return layout(story, html`${opener(story, {isHeading: false})}${story.lead && shot(story.lead, "hero")}
    <div class="copy">${copy(story)}</div>${advert("foot")}`);
}

function gallery(story) {
  const slides = story.photos.map((picture) => html`<li class="slide">${shot(picture, "slide")}</li>`);
  return layout(story, html`${opener(story)}<div class="copy">${text(story.body)}</div><ol class="slides">${slides}</ol>
    ${signup()}${promo(story)}`);
}

function film({lead, player}) {
  return html`<div class="film"><a class="film-play" href="${player}"><img class="film-still" src="${full(lead)}"
    width="${lead.width}" height="${lead.height}" alt=""><span>${label("play")}</span></a>${legend(lead)}</div>`;
}

function video(story) {
  return layout(story, html`${story.lead && film(story)}${opener(story)}<div class="copy">${text(story.body)}</div>
    ${advert("film")}${promo(story)}`);
}

function live(story) {
  const flag = html` <i class="badge badge-live">${label("live")}</i>`;
  const title = ({blocks}) => blocks.find(({type}) => type === "heading").text;
  const points = story.entries.map((entry, place) => html`<li><a href="#minute-${String(place)}">${title(entry)}</a></li>`);
  const minutes = story.entries.map(({time, blocks}, place) =>
    html`<li class="minute" id="minute-${String(place)}"><span class="clock">${time}</span>${text(blocks)}</li>`);
  return layout(story, html`${opener(story, {isHeading: false, flag})}<div class="copy">${text(story.body)}</div>
    <div class="glance"><h4>${label("key_points")}</h4><ol>${points}</ol></div><ol class="ticker">${minutes}</ol>`);
}

function shelf({name, path}, stories) {
  return html`<div class="shelf"><h4 class="shelf-name"><a href="${path}">${name}</a></h4>${row(stories.slice(0, 3), "small")}</div>`;
}

function front({stories, most_read}) {
  const of = ({path}) => stories.slice(9).filter(({section}) => section.path === path);
  const shelves = paper.sections.map((section) => [section, of(section)]).filter(([, found]) => found.length);
  return html`<div class="opening"><div class="opening-first">${teaser(stories[0], "first")}</div>
    ${row(stories.slice(1, 5), "beside")}</div>${row(stories.slice(5, 9), "tile")}${advert("front")}
    <div class="layout"><div class="column">${shelves.map(([section, found]) => shelf(section, found))}</div>
    <aside class="side">${popular(most_read)}${signup()}</aside></div>`;
}

function onward(list) {
  const steps = [["previous", "back"], ["next", "forward"]].filter(([name]) => list[name]);
  const links = steps.map(([name, step]) => html`<a href="${list[name]}" data-step="${step}"><span>${label(name)}</span></a>`);
  return list.pages === 1 ? "" : html`<div class="onward">${links}<div class="onward-place">${filled(label("page"), list).map(String)}</div></div>`;
}

function list(list) {
  const writer = html`<div class="writer"><img src="${list.portrait}" width="72" height="72" alt=""><div>${list.introduction}</div></div>`;
  return html`<div class="roll-name"><h2>${list.title}</h2>${list.portrait && writer}</div>
    <div class="layout"><div class="column"><ul class="roll">${items(list.stories, "row")}
    ${list.more && html`<li data-source="${list.more}"></li>`}</ul>${onward(list)}</div>
    <aside class="side">${popular(list.most_read)}${advert("side")}</aside></div>`;
}

const more = ({stories}) => items(stories, "row");
const PAGES = {front, list, more, article, gallery, video, live};
