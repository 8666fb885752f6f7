// The choice of colours is the console's.
const theme = localStorage.getItem('docmill.theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

// The search loads its module and its index on first use. Everything else works without scripts.
const button = document.querySelector('button.search');
const { root, module: moduleUrl, index: indexUrl } = button.dataset;
const maxResults = 20;
const maxExcerpt = 160;

/** How likely readers look for the pages of a folder; the first pattern that matches counts. */
const boosts = [
  [/^(guides|index)/, 1.6],
  [/^reference\//, 1.3],
  [/^(api|operations)\//, 0.8],
  [/^(design|changelog|architecture)/, 0.15],
];

/** Other words of the guide for a word, in English, German and French: each line has words for one thing. */
const synonyms = `
loop list lists repeat rows each schleife liste wiederholen zeilen boucle répéter lignes
condition conditional if show hide bedingung wenn anzeigen ausblenden si afficher masquer
picture pictures image images logo photo bild bilder foto
table tables tabelle tabellen tableau tableaux
date dates datum
number numbers amount currency zahl zahlen betrag währung nombre montant devise
page pages seite seiten
break umbruch saut
error errors mistake problem fehler erreur erreurs
template templates vorlage vorlagen modèle modèles
invoice rechnung facture
letter brief lettre
mailing serienbrief publipostage batch batches stapel lot
signature unterschrift
header headers kopfzeile en-tête
footer footers fußzeile
font fonts schrift schriften schriftart police polices
watermark wasserzeichen filigrane
password passwort kennwort encrypt protect mot
email mail e-mail send senden versenden envoyer courriel
upload hochladen téléverser
download herunterladen télécharger
key keys schlüssel clé
quota limit limits kontingent grenze
language sprache langue locale
translate dictionary wörterbuch übersetzen dictionnaire traduire
link links hyperlink verknüpfung lien
barcode qr strichcode
heading headings title überschrift titre
footnote footnotes fußnote fußnoten note notes
delete remove löschen entfernen supprimer
field fields tag tags feld felder champ champs
missing empty leer fehlt vide manquant
install installation installieren installer
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

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

let loading;
const load = () => {
  loading ??= Promise.all([import(new URL(moduleUrl, location.href)), fetch(indexUrl).then(readText)])
    .then(([{ default: MiniSearch }, json]) => {
      const fields = ['title', 'heading', 'text'];
      return MiniSearch.loadJSON(json, { fields, storeFields: ['url', ...fields] });
    })
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
};

function readText(response) {
  if (!response.ok) throw new Error(`the service responded with ${response.status} to the request for the index`);
  return response.text();
}

async function search() {
  const words = input.value.trim();
  if (words === '') {
    status.textContent = '';
    list.replaceChildren();
    return;
  }
  let index;
  try {
    index = await load();
  } catch {
    status.textContent = 'The search could not be loaded. Try again, or choose a page in the list.';
    return;
  }
  // The input changed while the index was loading.
  if (words !== input.value.trim()) return;
  const options = {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { title: 4, heading: 6 },
    boostDocument: (url) => boosts.find(([pattern]) => pattern.test(url))?.[1] ?? 1,
    // A word that the reader typed counts more than another word for it.
    boostTerm: (term) => (words.toLowerCase().includes(term) ? 2 : 1),
  };
  const queries = words.split(/\s+/).map(toQuery);
  const all = index.search({ queries, combineWith: 'AND' }, options);
  const found = all.length > 0 ? all : index.search({ queries, combineWith: 'OR' }, options);
  status.textContent = found.length === 0 ? `Nothing was found for “${words}”.` : '';
  list.replaceChildren(...found.slice(0, maxResults).map(toItem));
}

/** A word, or any of the other words for it or, as German compounds have them, for its parts. */
function toQuery(word) {
  const typed = word.toLowerCase();
  const isPart = (known) => known === typed || (known.length >= 5 && typed.includes(known));
  const others = synonyms.filter((group) => group.some(isPart)).flat();
  return { queries: [...new Set([word, ...others])], combineWith: 'OR' };
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
  load().catch(() => undefined);
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
