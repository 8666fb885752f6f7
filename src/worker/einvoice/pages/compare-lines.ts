import type { PrintedLine } from '@docmill/einvoice';
import { type Comparison, hasSize } from './comparison.ts';
import { differing, type InvoiceDifference, type Place, placeOf } from './difference.ts';
import { type LinePlace, type MatchedLine, overlap } from './match-lines.ts';
import { canonical, type NumberToken } from './printed-number.ts';
import type { PrintedWord } from './read-printed-pages.ts';
import type { Role } from './roles.ts';
import type { Row } from './rows.ts';

export function compareLine(
  comparison: Comparison,
  { line, place }: MatchedLine,
  number: number,
): readonly InvoiceDifference[] {
  const { item, quantity, price, amount } = line;
  const terms = [item, quantity, price, amount].filter((term) => term !== undefined);
  if (place === undefined) return terms.flatMap((term) => differing(term, undefined, number));
  const missing = (['quantity', 'price', 'amount'] as const).flatMap((role) => {
    const term = line[role];
    if (term === undefined || place.found.has(role)) return [];
    if (role !== 'amount' && isLumpSum(line, place)) return [];
    return differing(term, placeOfRole(comparison, place, role), number);
  });
  return [
    ...(item === undefined || place.isNamed ? [] : differing(item, rowPlace(place), number)),
    ...missing,
    ...compareLineRate(comparison, { line, place }, number),
    ...line.adjustments.flatMap((term) => {
      const isShown = place.band.some((row) => row.numbers.some((token) => hasSize(token, term)));
      return isShown ? [] : differing(term, rowPlace(place), number);
    }),
  ];
}

/** Whether a line says its amount only, which is that of one piece. */
function isLumpSum(
  { quantity, price, amount, rate }: PrintedLine,
  { found, rows, numbers, position }: LinePlace,
): boolean {
  if (!found.has('amount') || canonical(quantity?.value ?? '') !== '1') return false;
  if (canonical(price?.value ?? '') !== canonical(amount?.value ?? '')) return false;
  const used = new Set(found.values());
  const ofRate = canonical(rate?.value ?? '');
  const isRest = (token: NumberToken): boolean =>
    numbers.includes(token) &&
    !used.has(token) &&
    !token.isPercent &&
    token.value !== ofRate &&
    token.words[0] !== position?.words[0];
  return !rows.some((row) => row.numbers.some(isRest));
}

function rowPlace({ rows }: LinePlace): Place | undefined {
  const [row] = rows;
  return row && placeOf(row, row.words);
}

/** What stands in the column of a number in the rows of a line. */
function placeOfRole({ lines }: Comparison, place: LinePlace, role: Role): Place | undefined {
  const column = lines.flatMap((other) => other.place?.found.get(role) ?? [])[0];
  const used = new Set(place.found.values());
  const rest = place.numbers
    .filter((token) => !used.has(token) && !token.isPercent)
    .toSorted((a, b) => (a.words[0]?.left ?? 0) - (b.words[0]?.left ?? 0));
  const token =
    rest.find((each) => column !== undefined && overlap(each, column)) ??
    (column === undefined && rest.length > 0 ? rest[role === 'quantity' ? 0 : rest.length - 1] : undefined);
  const row = token && place.band.find(({ numbers }) => numbers.includes(token));
  return row === undefined || token === undefined ? rowPlace(place) : placeOf(row, token.words, token.text);
}

/** A rate in the row of a line must be its own. It may be left out if all lines have the same. */
function compareLineRate(
  { isOneRate, showsRates }: Comparison,
  { line, place }: { readonly line: PrintedLine; readonly place: LinePlace },
  number: number,
): readonly InvoiceDifference[] {
  const { rate } = line;
  if (rate === undefined) return [];
  const value = canonical(rate.value);
  const used = new Set(place.found.values());
  if (place.numbers.some((token) => token.value === value && !used.has(token))) return [];
  const explained = new Set(line.adjustments.map((term) => canonical(term.value)));
  const isDiscount = ({ value: shown, hasMinus }: NumberToken): boolean =>
    hasMinus || (line.discountPercent !== undefined && Math.abs(Number(shown) - Number(line.discountPercent)) < 0.5);
  for (const row of place.rows)
    for (const token of row.numbers) {
      const isOther =
        token.isPercent && !explained.has(token.value) && !isDiscount(token) && place.numbers.includes(token);
      if (isOther && isAlone(row, token)) return differing(rate, placeOf(row, token.words, token.text), number);
    }
  return isOneRate || value === '0' || !showsRates ? [] : differing(rate, rowPlace(place), number);
}

/** Whether the rows of a line show its rate. */
export function showsRate({ line, place }: MatchedLine): boolean {
  const used = new Set(place?.found.values());
  const rate = canonical(line.rate?.value ?? '');
  return place?.numbers.some((token) => token.isPercent && token.value === rate && !used.has(token)) ?? false;
}

/** Whether a percentage is alone in its cell, and no part of a text such as "70 % cotton". */
function isAlone({ words }: Row, token: NumberToken): boolean {
  const at = words.findIndex((word) => token.words.includes(word));
  const [first, last] = [token.words[0], token.words.at(-1)];
  const before = words[at - 1];
  const after = words.slice(at + token.words.length).find(({ text }) => !text.startsWith('%'));
  const gap = first?.sizePt ?? 0;
  const isApart = (left: PrintedWord | undefined, right: PrintedWord | undefined): boolean =>
    left === undefined || right === undefined || right.left - left.right > gap;
  return isApart(before, first) && isApart(last, after);
}
