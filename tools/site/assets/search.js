/**
 * The search of the guide, for its own pages and for the console. It has a fixed address; the build writes those of the
 * library and of the index, which change with their content.
 */
const moduleUrl = new URL('{module}', import.meta.url);
const indexUrl = new URL('{index}', import.meta.url);

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

let loading;

/** Loads the library and the index, once. */
export function prepare() {
  loading ??= Promise.all([import(moduleUrl), fetch(indexUrl).then(readText)])
    .then(([{ default: MiniSearch }, json]) => {
      const fields = ['title', 'heading', 'text'];
      return MiniSearch.loadJSON(json, { fields, storeFields: ['url', ...fields] });
    })
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

function readText(response) {
  if (!response.ok) throw new Error(`the service responded with ${response.status} to the request for the index`);
  return response.text();
}

/** The sections that match the words, best first: `{ url, title, heading, text, terms }`, with `url` below `/guide/`. */
export async function findSections(words) {
  const index = await prepare();
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
  return all.length > 0 ? all : index.search({ queries, combineWith: 'OR' }, options);
}

/** A word, or any of the other words for it or, as German compounds have them, for its parts. */
function toQuery(word) {
  const typed = word.toLowerCase();
  const isPart = (known) => known === typed || (known.length >= 5 && typed.includes(known));
  const others = synonyms.filter((group) => group.some(isPart)).flat();
  return { queries: [...new Set([word, ...others])], combineWith: 'OR' };
}
