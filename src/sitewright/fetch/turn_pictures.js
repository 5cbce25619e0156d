/* Turns the pictures of a gallery with its own control, and has all that was shown stand on the page, in order.

   Called with the words that say "next", how many pictures at most, and how many seconds; returns how many states were
   shown, and whether there may be more. Nothing is changed where no control brings a picture that was not there. */
async ({words, most, seconds}) => {
  const NEXT = new Set(words), ARROWS = new Set([...'>›»→⇒▶►▸⟩》〉❯➔➜➡⟶']);
  const LONGEST = 40, LEVELS = 6, CONTROLS = 4, PATIENCE = 1500, POLL = 30;
  // Milliseconds for the next picture where a counter says that there is one: a second click would pass over what is on its way.
  const CERTAIN = 6000;
  const COUNTER = /(?<![\d/.])1\s*(?:\/|／|of|de|von|sur|из|di|van|av|z|od|之)\s*(\d{1,3})(?![\d/.])/gi;
  const end = performance.now() + seconds * 1000;
  const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
  const here = location.href.split('#')[0];
  const leadsOn = node => {
    const link = node.closest('a[href]');
    return link !== null && /^https?:/.test(link.href) && link.href.split('#')[0] !== here;
  };
  const saysNext = node => {
    const texts = [node.getAttribute('aria-label'), node.title, node.textContent];
    const said = texts.some(text => {
      const plain = (text || '').trim().toLowerCase();
      if (!plain || plain.length > LONGEST) return false;
      return ARROWS.has(plain) || plain.split(/[^\p{L}\p{N}]+/u).some(word => NEXT.has(word)) || NEXT.has(plain);
    });
    const names = `${node.getAttribute('class') || ''} ${node.id} ${node.dataset.slide || ''}`;
    return said || /(^|[^a-z])next([^a-z]|$)|[a-z]Next/.test(names);
  };
  const isOff = node => node.disabled || node.getAttribute('aria-disabled') === 'true' ||
    /(^|[^a-z])disabled([^a-z]|$)/.test(node.getAttribute('class') || '');
  const isSeen = node => node.getClientRects().length > 0 && getComputedStyle(node).visibility !== 'hidden';
  const pictures = root => [...root.querySelectorAll('img, [style*="background-image"]')].filter(isSeen);
  const addressOf = node => node.currentSrc || node.src || node.dataset.src || node.style.backgroundImage;
  const stage = node => {  // the nearest element around a control that shows a picture
    let around = node.parentElement;
    for (let level = 0; around && around !== document.body && level < LEVELS; level++, around = around.parentElement)
      if (pictures(around).length) return around;
    return null;
  };
  const ofTeasers = root => {
    const shown = pictures(root);
    return shown.filter(leadsOn).length * 2 > shown.length;
  };
  const useless = new Set();
  const find = () => {
    const named = 'button, [role=button], a, [class*=next i], [id*=next i], [data-slide=next]';
    const found = [...document.querySelectorAll(named)].filter(node =>
      !useless.has(node) && !leadsOn(node) && !node.querySelector('img') && isSeen(node) && !isOff(node) && saysNext(node));
    for (const control of found) {
      const own = stage(control);
      if (own && !ofTeasers(own)) return {control, own};
    }
    return null;
  };
  // Around the stage stands what is said of the picture: as much of it as changes with the picture is turned, too.
  const scopeOf = own => {
    let scope = own;
    while (scope.parentElement && !scope.matches('main, article, section, figure') &&
           scope.parentElement !== document.body && scope.parentElement.textContent.length < 3000)
      scope = scope.parentElement;
    return scope;
  };
  const counted = scope => Math.max(0, ...[...scope.innerText.matchAll(COUNTER)].map(found => Number(found[1])));
  const keys = root => pictures(root).map(addressOf).filter(Boolean);
  // Clicks a control until nothing new comes; returns what was shown.
  const turned = async (control, own) => {
    const scope = scopeOf(own);
    const states = [scope.cloneNode(true)], count = counted(scope);
    const seen = new Set(keys(scope));
    let idle = 0, changed = [];
    const watcher = new MutationObserver(records => changed.push(...records.map(record => record.target)));
    watcher.observe(scope, {subtree: true, childList: true, attributes: true, characterData: true});
    const touched = new Set();
    while (states.length < most && performance.now() < end) {
      if (!control.isConnected || isOff(control)) {
        const again = find();
        if (!again || again.control === control || !scope.contains(again.control)) break;
        control = again.control;
      }
      changed = [];
      control.click();
      const until = performance.now() + (states.length < count ? CERTAIN : PATIENCE);
      while (performance.now() < until && !keys(scope).some(key => !seen.has(key))) await wait(POLL);
      await wait(POLL);
      const fresh = keys(scope).filter(key => !seen.has(key));
      if (!fresh.length) {
        if (++idle === 2) break;
        continue;
      }
      idle = 0;
      for (const key of fresh) seen.add(key);
      for (const target of changed) touched.add(target.nodeType === 1 ? target : target.parentElement);
      states.push(scope.cloneNode(true));
    }
    watcher.disconnect();
    return {states, scope, touched, count};
  };
  let shown = {states: []};
  for (let tries = 0; tries < CONTROLS && shown.states.length < 2; tries++) {
    const found = find();
    if (!found) return {shown: tries ? 1 : 0, more: false};
    shown = await turned(found.control, found.own);
    useless.add(found.control);
  }
  const {states, scope, touched, count} = shown;
  if (states.length < 2) return {shown: 1, more: false};
  // Of the smallest element that holds all that changed, what did change stands on the page once for each state.
  let box = null;
  for (const node of touched) {
    if (!node || !scope.contains(node)) continue;
    if (!box) box = node;
    while (!box.contains(node)) box = box.parentElement;
  }
  if (!box) box = scope;
  const path = [];
  for (let node = box; node !== scope; node = node.parentElement) path.unshift([...node.parentElement.children].indexOf(node));
  const part = state => path.reduce((node, place) => node && node.children[place], state);
  const parts = states.map(part).filter(Boolean);
  for (const copy of parts) for (const node of copy.querySelectorAll('[id]')) node.removeAttribute('id');
  const holds = place => [...touched].some(node => box.children[place].contains(node));
  const places = touched.has(box) ? [] : [...box.children].map((_, place) => place).filter(holds);
  if (!places.length || places.length === box.children.length) box.replaceWith(...parts);
  else {
    const before = places.map(place => box.children[place]);
    before.at(-1).after(...parts.flatMap(copy => places.map(place => copy.children[place]).filter(Boolean)));
    for (const node of before) node.remove();
  }
  return {shown: parts.length, more: states.length >= most || states.length < count || performance.now() >= end};
}
