// The templates of the classic design, in the markup that its static pages have.
const MARKS = {gallery: "photos", video: "video", live: "live"};
const PLACEHOLDER = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E";

// Pictures and cards

function caption({caption, credit}) {
  return html`<figcaption><span class="figure__caption">${caption}</span> <span class="figure__credit">${credit}</span></figcaption>`;
}

function figure(picture, variant = "inline") {
  return html`<figure class="figure figure--${variant}">${image(picture)}${caption(picture)}</figure>`;
}

function card(story, size, source) {
  const path = story.path + (source ? `?utm_source=${source}&utm_medium=card` : "");
  const isLine = size === "line";
  const mark = MARKS[story.type];
  return html`<article class="card card--${size}">
    ${story.picture && !isLine && html`<a class="card__image" href="${path}" tabindex="-1">${image(story.picture)}</a>`}
    <p class="card__kicker">${mark && html`<span class="card__mark card__mark--${story.type}">${label(mark)}</span> `}${story.section.name}</p>
    <h3 class="card__title"><a class="card__link" href="${path}">${headline(story)}</a></h3>
    ${story.subtitle && !isLine && html`<p class="card__text">${story.subtitle}</p>`}
    <p class="card__date">${story.published_text}</p></article>`;
}

// What stands round a story

function mostRead(stories) {
  const items = stories.map(({path, title}) => html`<li><a href="${path}?ref=most-read">${title}</a></li>`);
  return html`<section class="most-read"><h2>${label("most_read")}</h2><ol>${items}</ol></section>`;
}

function newsletter() {
  return html`<div class="newsletter"><strong>${label("newsletter_title")}</strong><p>${label("newsletter_text")}</p>
    <form action="/about/" method="get"><input type="email" name="mail" placeholder="${label("newsletter_field")}">
    <button class="button">${label("newsletter_button")}</button></form></div>`;
}

function advertisement(slot) {
  return html`<div class="ad" data-slot="${slot}"><small>${label("advertisement")}</small>
    <a rel="sponsored" href="/about/?utm_source=house&amp;utm_medium=banner&amp;utm_campaign=${slot}">
    <img src="/assets/banner.svg" width="600" height="150" alt=""></a></div>`;
}

function kicker({sections}) {
  const links = sections.map(({name, path}) => html`<a class="kicker__link" href="${path}">${name}</a>`);
  return html`<p class="kicker">${joined(links, " ")}</p>`;
}

function breadcrumbs({section}) {
  return html`<nav class="crumbs"><a href="${paper.url}">${label("home")}</a> › <a href="${section.path}">${section.name}</a></nav>`;
}

function byline(story) {
  const people = story.authors.map(({name, path}) =>
    html`<a class="byline__name" rel="author" href="${path}?ref=byline">${name}</a>`);
  const plain = story.authors.map(({name}) => name);
  const agency = story.agency ? [html`<span class="byline__name">${story.agency}</span>`] : [];
  const names = story.agency ? agency : paper.plain_bylines && plain.length > 1 ? plain : people;
  if (!names.length) return "";
  const text = filled(paper.byline, {names: joined(names, paper.list_gap)});
  const whole = story.desk ? filled(paper.byline_role, {byline: text, desk: story.desk}) : text;
  return html`<p class="byline">${whole}</p>`;
}

function dates(story) {
  const shown = [["published", "story__date"], ["modified", "story__updated"]].filter(([name]) => story[name]);
  const times = shown.map(([name, css]) =>
    html`${label(name === "modified" ? "updated" : name)} <time class="${css}" datetime="${story[name]}">${story[`${name}_text`]}</time>`);
  return html`<p class="story__dates">${joined(times, " · ")}</p>`;
}

function share({path}) {
  const url = paper.url + path.slice(1);
  const buttons = ["Chirp", "Facegram", "Pinwall"].map((name) =>
    html`<li><a rel="nofollow" href="https://${name.toLowerCase()}.example/share?url=${url}">${name}</a></li>`);
  return html`<div class="share"><span>${label("share")}</span><ul>${buttons}
    <li><a href="mailto:?body=${url}">${label("mail")}</a></li></ul></div>`;
}

function tags({tags}) {
  const items = tags.map(({name, path}) => html`<li><a rel="tag" href="${path}">${name}</a></li>`);
  return html`<div class="tags"><span>${label("tags")}</span><ul>${items}</ul></div>`;
}

function related(story) {
  const items = story.related.slice(0, 3).map(({path, title}) => html`<li><a href="${path}?ref=related">${title}</a></li>`);
  return html`<aside class="related"><h3>${label("related")}</h3><ul>${items}</ul></aside>`;
}

function readAlso(story) {
  const {path, title} = story.related.at(-1);
  return html`<p class="read-also">${label("read_also")} <a href="${paper.url}${path.slice(1)}?utm_source=inline">${title}</a></p>`;
}

function authorBox({authors}) {
  const people = authors.map(({name, path, about, portrait}) => html`<div class="bio"><img src="${portrait}" width="72" height="72" alt="">
    <p>${marked(about, name, (part) => html`<a href="${path}">${part}</a>`)}</p></div>`);
  return people.length ? html`<section class="bios"><h2>${label("about_author")}</h2>${people}</section>` : "";
}

function comments({comments}) {
  const items = comments.map((comment) => html`<li class="comment"><b class="comment__name">${comment.name}</b>
    <time datetime="${comment.published}">${comment.published_text}</time><p>${comment.text}</p></li>`);
  return html`<section class="comments" id="comments"><h2>${label("comments")} (${String(items.length)})</h2><ol>${items}</ol></section>`;
}

// The blocks of a story

const BLOCKS = {
  paragraph: ({text}) => html`<p>${text}</p>`,
  heading: ({text}) => html`<h2>${text}</h2>`,
  quote: ({text}) => html`<blockquote><p>${text}</p></blockquote>`,
  bullets: ({items}) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`,
  table: ({rows}) => table(rows),
  figure: ({picture}) => figure(picture),
};
const blocks = (list) => list.map((block) => BLOCKS[block.type](block));

function body(story) {
  const pieces = blocks(story.body);
  const paragraphs = [...story.body.keys()].filter((place) => story.body[place].type === "paragraph");
  const place = (part) => html`<a href="${story.tags[0].path}">${part}</a>`;
  pieces[0] = html`<p>${marked(story.body[0].text, story.place, place)}</p>`;
  pieces[paragraphs.at(-2)] = [pieces[paragraphs.at(-2)], newsletter()];
  pieces[paragraphs[2]] = [pieces[paragraphs[2]], related(story)];
  pieces[paragraphs[1]] = [pieces[paragraphs[1]], story.id % 2 ? advertisement("middle") : readAlso(story)];
  return pieces;
}

// One template a kind of page

function article(story) {
  return html`<article class="story"><header class="story__head">${breadcrumbs(story)}${kicker(story)}
    <h1 class="story__title">${headline(story)}</h1>
    ${story.subtitle && html`<p class="story__standfirst">${story.subtitle}</p>`}
    ${byline(story)}${dates(story)}${share(story)}</header>
    ${story.lead && figure(story.lead, "lead")}
    <div class="story__body">${body(story)}</div>
    ${tags(story)}${authorBox(story)}${advertisement("foot")}${comments(story)}</article>`;
}

function photo(picture, place) {
  return html`<figure class="gallery__photo" id="photo-${place + 1}"><img class="lazy" src="${PLACEHOLDER}"
    data-src="${full(picture)}" data-srcset="${sources(picture)}" width="${picture.width}" height="${picture.height}" alt="">
    ${caption(picture)}</figure>`;
}

function gallery(story) {
  const authors = story.authors.map(({name}) => html`<span itemprop="author" itemscope itemtype="https://schema.org/Person"><span
    class="gallery__author" itemprop="name">${name}</span></span>`);
  return html`<section class="gallery" itemscope itemtype="https://schema.org/ImageGallery">${kicker(story)}
    <h1 class="gallery__title" itemprop="headline">${headline(story)}</h1>
    <p class="gallery__deck" itemprop="alternativeHeadline">${story.subtitle}</p>
    <p class="gallery__by">${filled(paper.byline, {names: joined(authors, paper.list_gap)})}, ${story.published_text}</p>
    <meta itemprop="datePublished" content="${story.published}">
    ${story.modified && html`<meta itemprop="dateModified" content="${story.modified}">`}
    <div class="gallery__intro" itemprop="text">${blocks(story.body)}</div>
    ${share(story)}<div class="gallery__photos">${story.photos.map(photo)}</div>
    ${tags(story)}${newsletter()}${related(story)}${comments(story)}</section>`;
}

function player({lead, player}) {
  return html`<div class="player"><a class="player__link" href="${player}">
    <img class="player__poster" src="${full(lead)}" width="${lead.width}" height="${lead.height}" alt="">
    <span class="player__button">${label("play")}</span></a>
    <p class="player__caption">${lead.caption}</p><p class="player__credit">${lead.credit}</p></div>`;
}

function video(story) {
  const names = story.authors.map(({name}) => html`<span class="clip__author">${name}</span>`);
  const updated = html` · ${label("updated")} <span class="clip__updated">${story.modified_short}</span>`;
  return html`<div class="clip">${kicker(story)}<h1 class="clip__title">${headline(story)}</h1>
    ${story.lead && player(story)}
    <p class="clip__deck">${story.subtitle}</p>
    <p class="clip__meta">${label("video_by")} ${joined(names, paper.list_gap)} · <span class="clip__date">${story.published_short}</span>${story.modified && updated}</p>
    <div class="clip__text">${blocks(story.body)}${advertisement("clip")}</div>
    ${share(story)}${tags(story)}${related(story)}${comments(story)}</div>`;
}

function live(story) {
  const title = ({blocks}) => blocks.find(({type}) => type === "heading").text;
  const points = story.entries.map((entry, place) => html`<li><a href="#update-${String(place)}">${title(entry)}</a></li>`);
  const entries = story.entries.map((entry, place) => html`<section class="live__entry" id="update-${String(place)}">
    <time class="live__time" datetime="${entry.published}">${entry.time}</time>${blocks(entry.blocks)}</section>`);
  return html`<div class="live"><header>${kicker(story)}<span class="live__flag">${label("live")}</span>
    <h1 class="live__title">${headline(story)}</h1><p class="live__deck">${story.subtitle}</p>
    ${byline(story)}${dates(story)}</header>
    <div class="live__lead">${blocks(story.body)}</div>
    <aside class="live__points"><h2>${label("key_points")}</h2><ul>${points}</ul></aside>
    <div class="live__feed">${entries}</div>${share(story)}${tags(story)}${authorBox(story)}${comments(story)}</div>`;
}

function strip({name, path}, stories) {
  const cards = stories.slice(0, 4).map((story, place) => card(story, place < 2 ? "small" : "line"));
  return html`<section class="strip"><h2 class="strip__name"><a href="${path}">${name}</a></h2>
    <div class="strip__cards">${cards}</div></section>`;
}

function front({stories, most_read}) {
  const cards = (from, to, size) => stories.slice(from, to).map((story) => card(story, size, "front"));
  const strips = paper.sections.map((section) => [section, stories.slice(7).filter((story) => story.section.path === section.path)]);
  return html`<div class="front"><section class="front__lead">${cards(0, 1, "lead")}<div class="front__lines">${cards(5, 7, "line")}</div></section>
    <section class="front__seconds">${cards(1, 5, "small")}</section>
    <aside class="front__side">${mostRead(most_read)}${newsletter()}</aside></div>
    ${advertisement("front")}
    ${strips.filter(([, found]) => found.length).map(([section, found]) => strip(section, found))}`;
}

function pager(list) {
  const steps = [["previous", "prev"], ["next", "next"]].filter(([name]) => list[name]);
  const links = steps.map(([name, relation]) => html`<a class="pager__${relation}" rel="${relation}" href="${list[name]}">${label(name)}</a>`);
  return list.pages === 1 ? "" : html`<nav class="pager"><span>${filled(label("page"), list).map(String)}</span>${links}</nav>`;
}

function list(list) {
  const introduction = html`<div class="bio"><img src="${list.portrait}" width="72" height="72" alt=""><p>${list.introduction}</p></div>`;
  return html`<h1 class="list__title">${list.title}</h1>${list.portrait && introduction}
    <div class="columns"><div class="list">${list.stories.map((story) => card(story, "row"))}
    ${list.more && html`<div data-source="${list.more}"></div>`}${pager(list)}</div>
    <aside class="front__side">${mostRead(list.most_read)}${advertisement("side")}</aside></div>`;
}

const more = ({stories}) => stories.map((story) => card(story, "row"));
const PAGES = {front, list, more, article, gallery, video, live};
