// The choice of colours is the console's.
const theme = localStorage.getItem('docmill.theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

// The search loads its module and its index on first use. Everything else works without scripts.
const button = document.querySelector('button.search');
const { root } = button.dataset;
const maxResults = 20;
const maxExcerpt = 160;

const narrow = matchMedia('(max-width: 60rem)');
const menu = document.querySelector('details.menu');
if (menu !== null) {
  menu.open = !narrow.matches;
  narrow.addEventListener('change', () => {
    menu.open = !narrow.matches;
  });
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

for (const block of document.querySelectorAll('pre')) {
  const copy = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  copy.addEventListener('click', async () => {
    const text = block.textContent;
    try {
      await navigator.clipboard.writeText(block.querySelector('.language-console') ? typedIn(text) : text);
      copy.textContent = 'Copied';
    } catch {
      copy.textContent = 'Select the text and copy it';
    }
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2_000);
  });
  const frame = element('div', { className: 'code' });
  block.replaceWith(frame);
  frame.append(block, copy);
}

/** The commands in a terminal session: lines after a prompt, and their continuations. */
function typedIn(session) {
  const typed = [];
  let isContinued = false;
  for (const line of session.split('\n')) {
    const prompted = /^[$>] (.*)$/.exec(line)?.[1];
    if (prompted === undefined && !isContinued) continue;
    typed.push(prompted ?? line);
    isContinued = line.endsWith('\\');
  }
  return typed.length === 0 ? session : `${typed.join('\n')}\n`;
}

const dialog = element('dialog', { className: 'finder', ariaLabel: 'Search' });
const form = element('form', { method: 'dialog' });
const input = element('input', { type: 'search', ariaLabel: 'Search for', placeholder: 'Search the guide' });
const close = element('button', { type: 'button', textContent: 'Close', className: 'close' });
const status = element('p', { role: 'status', className: 'found' });
const list = element('ul', {});
form.append(input, close);
dialog.append(form, status, list);
document.body.append(dialog);

const load = () => import(new URL(`${root}/search.js`, location.href));

async function search() {
  const words = input.value.trim();
  if (words === '') {
    status.textContent = '';
    list.replaceChildren();
    return;
  }
  let found;
  try {
    found = await (await load()).findSections(words);
  } catch {
    status.textContent = 'The search could not be loaded. Try again, or choose a page in the list.';
    return;
  }
  // The input changed while the index was loading.
  if (words !== input.value.trim()) return;
  status.textContent = found.length === 0 ? `Nothing was found for “${words}”.` : '';
  list.replaceChildren(...found.slice(0, maxResults).map(toItem));
}

function toItem({ url, title, heading, text, terms }) {
  const link = element('a', { href: `${root}/${url}` });
  link.append(element('strong', { textContent: heading }));
  if (heading !== title) link.append(element('span', { textContent: title }));
  link.append(excerpt(text, terms));
  link.addEventListener('click', () => dialog.close());
  const item = element('li', {});
  item.append(link);
  return item;
}

/** The text around the first match, which is highlighted. */
function excerpt(text, terms) {
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const pattern = new RegExp(`(${words})`, 'i');
  const near = Math.max(0, text.search(pattern) - 50);
  const from = near === 0 ? 0 : text.indexOf(' ', near) + 1;
  const shown = text.slice(from, from + maxExcerpt);
  const line = element('span', { className: 'excerpt' });
  line.append(from > 0 ? '…' : '');
  for (const part of shown.split(pattern))
    line.append(pattern.test(part) ? element('mark', { textContent: part }) : part);
  line.append(from + maxExcerpt < text.length ? '…' : '');
  return line;
}

function element(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}

function open() {
  if (!dialog.open) dialog.showModal();
  input.focus();
  input.select();
  load()
    .then(({ prepare }) => prepare())
    .catch(() => undefined);
}

function move(step) {
  const places = [input, ...list.querySelectorAll('a')];
  const place = places.indexOf(document.activeElement);
  places[(place + step + places.length) % places.length].focus();
}

button.hidden = false;
button.addEventListener('click', open);
close.addEventListener('click', () => dialog.close());
input.addEventListener('input', search);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
dialog.addEventListener('keydown', (event) => {
  // A search field would first delete its text.
  if (event.key === 'Escape') dialog.close();
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  move(event.key === 'ArrowDown' ? 1 : -1);
});
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  const isShortcut = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (!isShortcut || (isTyping && event.key === '/')) return;
  event.preventDefault();
  open();
});
