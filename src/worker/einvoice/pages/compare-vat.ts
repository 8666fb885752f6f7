import type { PrintedTerm } from '@docmill/einvoice';
import { amountIn, type Comparison, endOfAny, isAmount, isEarlyPayment, isMoney } from './comparison.ts';
import { differing, type InvoiceDifference, type Place, placeOf } from './difference.ts';
import { vatWords } from './labels.ts';
import type { MatchedLine } from './match-lines.ts';
import { canonical, type NumberToken } from './printed-number.ts';
import type { Row } from './rows.ts';

/** Of several rates, each stands in a row with its amounts. */
export function compareVat(comparison: Comparison): readonly InvoiceDifference[] {
  const { invoice, free, rows } = comparison;
  return invoice.vat.flatMap(({ rate, amounts }) => {
    const value = rate && canonical(rate.value);
    const ofRate = rows.filter((row) => row.numbers.some((token) => token.value === value && token.isPercent));
    const isSeveral = invoice.vat.length > 1 && rate !== undefined;
    const inColumn = free.filter((row) => {
      const own = row.numbers.find((token) => token.value === value);
      // The tax of 100.00 is its rate.
      const others = row.numbers.filter((token) => token !== own);
      return (
        own !== undefined && amounts.some((term) => others.some((token) => isAmount(comparison, row, token, term)))
      );
    });
    const isRateShown =
      rate === undefined ||
      ofRate.some((row) => free.includes(row)) ||
      inColumn.length > 0 ||
      isInLinesOnly(comparison, value);
    const where = isSeveral && inColumn.length > 0 ? inColumn : free;
    return [
      ...(isRateShown ? [] : differing(rate, otherRate(comparison))),
      ...amounts.flatMap((term) => {
        // Some templates show the tax of each rate in its row, and the taxable amounts elsewhere.
        const isStrict = term.term === 'BT-117' && isSeveral;
        const isShown = (isStrict ? where : free).some((row) =>
          row.numbers.some((token) => isAmount(comparison, row, token, term)),
        );
        if (!isShown) return differing(term, amountIn(ofRate.filter((row) => free.includes(row))));
        const foreign = term.term === 'BT-117' ? foreignAmountIn(comparison, ofRate) : undefined;
        return foreign === undefined ? [] : differing(term, foreign);
      }),
    ];
  });
}

/** Whether lines show the only rate, and the totals none. */
function isInLinesOnly({ invoice, lines, free, rows }: Comparison, value: string | undefined): boolean {
  if (invoice.vat.length > 1) return false;
  const isInLine = ({ place }: MatchedLine): boolean => {
    const used = new Set(place?.found.values());
    return place?.numbers.some((token) => token.value === value && !used.has(token)) ?? false;
  };
  const amounts = new Set(invoice.vat.flatMap((vat) => vat.amounts).map((term) => canonical(term.value)));
  const isOther = (row: Row): boolean =>
    row.numbers.some((token) => token.isPercent && !token.hasMinus && token.value !== value && token.value !== '0') &&
    (hasVatWord(row) || row.numbers.some((token) => isMoney(token) && amounts.has(token.value))) &&
    !isEarlyPayment(row, rows);
  return lines.some(isInLine) && !free.some(isOther);
}

const hasVatWord = (row: Row): boolean => endOfAny(row, vatWords) !== undefined;

/** The rates of the invoice, and other percentages that it has. */
const knownPercents = ({ invoice }: Comparison): ReadonlySet<string> =>
  new Set([
    '0',
    ...invoice.vat.map(({ rate }) => canonical(rate?.value ?? '')),
    ...invoice.lines.map(({ rate }) => canonical(rate?.value ?? '')),
    ...invoice.known.map(canonical),
  ]);

/** A percentage outside of lines that is no rate of the invoice. */
function otherRate(comparison: Comparison): Place | undefined {
  const { free, rows } = comparison;
  const known = knownPercents(comparison);
  for (const row of free)
    for (const token of row.numbers)
      if (token.isPercent && !token.hasMinus && !known.has(token.value) && !isEarlyPayment(row, rows))
        return placeOf(row, token.words, token.text);
  return undefined;
}

const maxRowsOfTable = 6;

/** VAT on the pages that the invoice does not have: a rate of its own, with an amount of its own. */
export function findForeignVat(comparison: Comparison): readonly InvoiceDifference[] {
  const { invoice, free, rows, known } = comparison;
  const percents = knownPercents(comparison);
  const rates = [...new Set(invoice.vat.map(({ rate }) => canonical(rate?.value ?? '')))].join(', ');
  const term: PrintedTerm = { term: 'BT-119', name: 'VAT rate', kind: 'rate', value: rates === '' ? '0' : rates };
  for (const row of free) {
    const token = row.numbers.find(
      ({ isPercent, hasMinus, value }) => isPercent && !hasMinus && Number(value) <= 100 && !percents.has(value),
    );
    if (token === undefined || isEarlyPayment(row, rows)) continue;
    const money = row.numbers.filter(isMoney);
    if (money.every(({ value }) => known.has(value.replace('-', '')) || value === '0')) continue;
    if (hasVatWord(row) || (isTaxRow(money, token) && isBelowVatWord(row, rows)))
      return differing(term, placeOf(row, token.words, token.text));
  }
  return [];
}

/** Whether one of the amounts is the percentage of another. */
const isTaxRow = (money: readonly NumberToken[], percent: NumberToken): boolean =>
  money.some((base) =>
    money.some((tax) => Math.abs(Number(base.value) * (Number(percent.value) / 100) - Number(tax.value)) < 0.006),
  );

/** Whether a row above, such as the header of a table, speaks of VAT. */
const isBelowVatWord = (row: Row, rows: readonly Row[]): boolean =>
  rows
    .slice(Math.max(0, row.order - maxRowsOfTable), row.order)
    .some((above) => above.page === row.page && hasVatWord(above));

/** An amount in the row of a rate that is none of the invoice. */
function foreignAmountIn({ free, rows, known }: Comparison, ofRate: readonly Row[]): Place | undefined {
  const isKnown = (token: NumberToken): boolean => known.has(token.value.replace('-', ''));
  for (const row of ofRate) {
    if (!free.includes(row) || isEarlyPayment(row, rows)) continue;
    const token = row.numbers.find((each) => isMoney(each) && !isKnown(each));
    // One amount that is known makes it a row of totals, and no text that mentions the rate.
    if (token !== undefined && row.numbers.some((each) => isMoney(each) && isKnown(each)))
      return placeOf(row, token.words, token.text);
  }
  return undefined;
}
