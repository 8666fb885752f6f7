import { compact } from './conventions.ts';
import type { NumberToken } from './printed-number.ts';
import { type Role, roles } from './roles.ts';
import type { Row } from './rows.ts';

/** Words that head the columns of lines in five languages, letters and digits only. */
const headers: Readonly<Record<Role, ReadonlySet<string>>> = {
  quantity: new Set(
    ['menge', 'anzahl', 'quantity', 'qty', 'hours', 'quantite', 'qte', 'quantita', 'qta', 'cantidad', 'cant'].concat([
      'aantal',
      'hoeveelheid',
    ]),
  ),
  price: new Set(
    ['einzelpreis', 'preis', 'stuckpreis', 'nettopreis', 'unitprice', 'price', 'prixunitaire', 'prix', 'pu'].concat([
      'prixunitaireht',
      'puht',
      'prezzo',
      'prezzounitario',
      'precio',
      'preciounitario',
      'prijs',
      'eenheidsprijs',
    ]),
  ),
  amount: new Set(
    [
      'betrag',
      'gesamt',
      'gesamtpreis',
      'nettobetrag',
      'positionsbetrag',
      'entgelt',
      'amount',
      'total',
      'linetotal',
    ].concat(['montant', 'montantht', 'totalht', 'importo', 'totale', 'importe', 'bedrag', 'totaal']),
  ),
};

interface Cell {
  readonly role: Role | undefined;
  readonly left: number;
  readonly right: number;
}

interface PlacedLine {
  readonly rows: readonly Row[];
}

/** Rows between a table's header and its first line. */
const maxRowsAbove = 8;
const maxLines = 30;

/**
 * Removes the numbers that stand below the header of another kind. Headers and numbers may both be aligned to the left,
 * to the right or to the middle of their column: the alignment that explains most numbers counts.
 */
export function dropMisplaced(
  found: readonly Map<Role, NumberToken>[],
  places: readonly (PlacedLine | undefined)[],
  rows: readonly Row[],
): void {
  const first = places.find((place) => place !== undefined)?.rows[0];
  const cells = first && headerAbove(first, rows);
  if (cells === undefined) return;
  const known = new Set(cells.map(({ role }) => role));
  const entries = found
    .slice(0, maxLines)
    .flatMap((line) => [...line].map(([role, token]) => ({ line, role, token })))
    .filter(({ role }) => known.has(role));
  const wrong = alignments
    .map((cellOf) => entries.filter(({ role, token }) => cellOf(cells, token)?.role !== role))
    .toSorted((a, b) => a.length - b.length)[0];
  for (const { line, role } of wrong ?? []) line.delete(role);
}

function headerAbove(first: Row, rows: readonly Row[]): readonly Cell[] | undefined {
  for (let order = first.order - 1; order >= Math.max(0, first.order - maxRowsAbove); order--) {
    const row = rows[order];
    if (row === undefined || row.page !== first.page) return undefined;
    const cells = toCells(row);
    const known = roles.filter((role) => cells.filter((cell) => cell.role === role).length === 1);
    if (known.length >= 2 && known.length === new Set(cells.flatMap(({ role }) => role ?? [])).size) return cells;
  }
  return undefined;
}

/** The words of a row that stand together. */
function toCells({ words }: Row): readonly Cell[] {
  const cells: { texts: string[]; left: number; right: number }[] = [];
  for (const word of words) {
    const last = cells.at(-1);
    if (last !== undefined && word.left - last.right < word.sizePt * 0.6) {
      last.texts.push(word.text);
      last.right = Math.max(last.right, word.right);
    } else cells.push({ texts: [word.text], left: word.left, right: word.right });
  }
  return cells.map(({ texts, left, right }) => {
    const text = compact(texts.join(''));
    return { role: roles.find((role) => headers[role].has(text)), left, right };
  });
}

const middle = ({ left, right }: { readonly left: number; readonly right: number }): number => (left + right) / 2;
const extent = ({ words }: NumberToken) => ({ left: words[0]?.left ?? 0, right: words.at(-1)?.right ?? 0 });

/** The cell of a number, if the header is aligned to the left, to the right, or to the middle. */
const alignments: readonly ((cells: readonly Cell[], token: NumberToken) => Cell | undefined)[] = [
  (cells, token) => cells.findLast(({ left }) => left <= extent(token).left + slackPt),
  (cells, token) => cells.find(({ right }) => right >= extent(token).right - slackPt),
  (cells, token) => {
    const at = middle(extent(token));
    return cells.toSorted((a, b) => Math.abs(middle(a) - at) - Math.abs(middle(b) - at))[0];
  },
];
const slackPt = 3;
