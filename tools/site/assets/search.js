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
loop list lists repeat rows each schleife liste wiederholen zeile zeilen boucle répéter ligne lignes
condition conditional if show hide bedingung bedingte wenn anzeigen ausblenden si afficher masquer
picture pictures image images logo photo bild bilder foto
column columns spalte spalten colonne colonnes
cell cells merged zelle zellen verbinden cellule fusionner
colour colours color farbe farben couleur couleurs
sum sums total totals summe gesamtsumme somme
format formats formatter formatters formatierung mise
table tables tabelle tabellen tableau tableaux
date dates datum
number numbers amount currency zahl zahlen betrag währung nombre montant devise
page pages seite seiten
numpages seitenzahl seitenzahlen seitennummer
break umbruch saut
preview vorschau aperçu
example examples beispiel beispiele exemple exemples
attachment attachments attach anhang anlage pièce jointe
backup restore sicherung wiederherstellen sauvegarde restaurer
accessible accessibility barrierefrei accessibilité
account konto compte
error errors mistake problem fehler erreur erreurs
template templates vorlage vorlagen modèle modèles
invoice rechnung facture
letter brief lettre
mailing serienbrief publipostage batch batches stapel lot
signature unterschrift
header headers letterhead footers kopfzeile briefkopf briefpapier en-tête
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

/** Words that tell nothing about a subject, as in "saut de page". */
const fillers = new Set(
  'a an the of in on to how do de du des la le les un une et der die das den ein eine und wie'.split(' '),
);

/** Accents are often left out by who types on the keyboard of another language. */
const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

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
  const typed = words.split(/\s+/).filter(Boolean);
  const telling = typed.filter((word) => !fillers.has(plain(word)));
  const queries = (telling.length > 0 ? telling : typed).map(toQuery);
  const all = index.search({ queries, combineWith: 'AND' }, options);
  return all.length > 0 ? all : index.search({ queries, combineWith: 'OR' }, options);
}

/** A word, or any of the other words for it or, as German compounds have them, for its parts. */
function toQuery(word) {
  const typed = plain(word);
  const groupsWith = (isIt) => synonyms.filter((group) => group.map(plain).some(isIt));
  const exact = groupsWith((known) => known === typed);
  // A word that is known is not mistyped.
  if (exact.length > 0) return { queries: [...new Set([word, ...exact.flat()])], combineWith: 'OR', fuzzy: false };
  const parts = groupsWith((known) => known.length >= 5 && typed.includes(known)).flat();
  return { queries: [...new Set([word, ...parts])], combineWith: 'OR' };
}
