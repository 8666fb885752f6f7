import { Decimal } from '../xpath/decimal.ts';
import { decimalOf, divide, formatAmount, subtract, sumOf } from './amounts.ts';
import type { Invoice } from './invoice.ts';
import type { Line } from './lines.ts';

type Given = Line['allowances'];
type Adjustment = NonNullable<Given>[number];
type DocumentAdjustment = NonNullable<Invoice['allowances']>[number];
type Category = Line['vat']['category'];

/** An amount that is missing, or differs from the one computed from the other amounts. */
export interface WrongAmount {
  /** The rule that it breaks, such as `BR-CO-15`. */
  readonly rule: string;
  readonly term: string;
  /** The path in the model, such as `lines[2].netAmount`. */
  readonly path: string;
  /** Undefined if it is missing. */
  readonly given: string | undefined;
  readonly expected: string;
}

export interface VatCategory {
  readonly category: Category;
  /** Undefined for category O (not subject to VAT), which has no rate. */
  readonly rate: string | undefined;
  readonly taxable: string;
  readonly tax: string;
  readonly exemptionReason: string | undefined;
  readonly exemptionCode: string | undefined;
}

export interface Totals {
  readonly lines: string;
  readonly allowances: string;
  readonly charges: string;
  readonly withoutVat: string;
  readonly vat: string;
  readonly vatInVatCurrency: string | undefined;
  readonly withVat: string;
  readonly paid: string;
  readonly rounding: string;
  readonly payable: string;
}

type WithAmount<T> = T & { readonly amount: string };

export interface CompleteLine extends Omit<Line, 'id' | 'netAmount' | 'allowances' | 'charges'> {
  readonly id: string;
  readonly netAmount: string;
  readonly allowances: readonly WithAmount<Adjustment>[];
  readonly charges: readonly WithAmount<Adjustment>[];
}

/** An invoice in which every amount is present, with two decimals. */
export interface CompleteInvoice extends Omit<Invoice, 'lines' | 'allowances' | 'charges' | 'totals' | 'vatBreakdown'> {
  readonly lines: readonly CompleteLine[];
  readonly allowances: readonly WithAmount<DocumentAdjustment>[];
  readonly charges: readonly WithAmount<DocumentAdjustment>[];
  readonly totals: Totals;
  readonly vatBreakdown: readonly VatCategory[];
}

/**
 * Computes every amount that follows from others, exactly, rounded as EN 16931 requires. Reports the given amounts that
 * differ.
 */
export function completeInvoice(invoice: Invoice): { invoice: CompleteInvoice; wrong: readonly WrongAmount[] } {
  const check = new Comparison();
  const lines = invoice.lines.map((line, index) => completeLine(line, index, check));
  const allowances = (invoice.allowances ?? []).map((entry, index) =>
    adjusted(entry, `allowances[${index}]`, { ...ofAllowance, check }),
  );
  const charges = (invoice.charges ?? []).map((entry, index) =>
    adjusted(entry, `charges[${index}]`, { ...ofCharge, check }),
  );
  const vatBreakdown = breakdownOf(invoice, { lines, allowances, charges }, check);
  const totals = totalsOf(invoice, { lines, allowances, charges, vatBreakdown }, check);
  return { invoice: { ...invoice, lines, allowances, charges, vatBreakdown, totals }, wrong: check.wrong };
}

class Comparison {
  readonly wrong: WrongAmount[] = [];

  /** Returns the computed amount, and reports the given one if it differs. */
  settle(computed: Decimal, given: string | undefined, place: Omit<WrongAmount, 'given' | 'expected'>): string {
    const expected = formatAmount(computed);
    if (given !== undefined && decimalOf(given).compare(decimalOf(expected)) !== 0) {
      this.wrong.push({ ...place, given, expected });
    }
    return expected;
  }

  miss(problem: Omit<WrongAmount, 'given'>): void {
    this.wrong.push({ ...problem, given: undefined });
  }
}

function completeLine(line: Line, index: number, check: Comparison): CompleteLine {
  const path = `lines[${index}]`;
  const allowances = (line.allowances ?? []).map((entry, at) =>
    adjusted(entry, `${path}.allowances[${at}]`, { ...ofLineAllowance, check }),
  );
  const charges = (line.charges ?? []).map((entry, at) =>
    adjusted(entry, `${path}.charges[${at}]`, { ...ofLineCharge, check }),
  );
  const base = decimalOf(line.price.baseQuantity ?? '1');
  const gross = decimalOf(line.quantity).multiply(decimalOf(line.price.net));
  // The rules reject a base quantity of 0. They run later, so it must not cause a division by zero here.
  const items = divide(gross, base.digits === 0n ? one : base);
  const net = subtract(items.add(sum(charges)), sum(allowances));
  const netAmount = check.settle(net, line.netAmount, {
    rule: 'PEPPOL-EN16931-R120',
    term: 'BT-131',
    path: `${path}.netAmount`,
  });
  return { ...line, id: line.id ?? String(index + 1), netAmount, allowances, charges };
}

interface AdjustmentContext {
  readonly check: Comparison;
  readonly term: string;
  /** The rule that requires the amount. */
  readonly required: string;
}

const ofLineAllowance = { term: 'BT-136', required: 'BR-41' };
const ofLineCharge = { term: 'BT-141', required: 'BR-43' };
const ofAllowance = { term: 'BT-92', required: 'BR-31' };
const ofCharge = { term: 'BT-99', required: 'BR-36' };

/** Adds the amount: the percentage of the base if both are given, and the given amount otherwise. */
function adjusted<T extends Adjustment>(
  entry: T,
  place: string,
  { check, term, required }: AdjustmentContext,
): WithAmount<T> {
  const path = `${place}.amount`;
  if (entry.percent !== undefined && entry.base !== undefined) {
    const computed = divide(decimalOf(entry.base).multiply(decimalOf(entry.percent)), hundred);
    return { ...entry, amount: check.settle(computed, entry.amount, { rule: 'PEPPOL-EN16931-R040', term, path }) };
  }
  if (entry.amount === undefined)
    check.miss({ rule: required, term, path, expected: 'an amount, or base and percent' });
  return { ...entry, amount: formatAmount(decimalOf(entry.amount ?? '0')) };
}

type Parts = Pick<CompleteInvoice, 'lines' | 'allowances' | 'charges'>;

/** One entry for each category and rate, in the order in which they appear. */
function breakdownOf(
  invoice: Invoice,
  { lines, allowances, charges }: Parts,
  check: Comparison,
): readonly VatCategory[] {
  const taxable = new Map<string, { vat: Line['vat']; amount: Decimal }>();
  const book = (vat: Line['vat'], amount: Decimal): void => {
    const key = keyOf(vat);
    taxable.set(key, { vat, amount: taxable.get(key)?.amount.add(amount) ?? amount });
  };
  for (const { vat, netAmount } of lines) book(vat, decimalOf(netAmount));
  for (const { vat, amount } of allowances) book(vat, decimalOf(amount).negate());
  for (const { vat, amount } of charges) book(vat, decimalOf(amount));
  const stated = new Map((invoice.vatBreakdown ?? []).map((entry, index) => [keyOf(entry), { entry, index }]));
  for (const [key, { entry, index }] of stated) {
    if (taxable.has(key)) continue;
    check.wrong.push({
      rule: 'BR-CO-18',
      term: 'BG-23',
      path: `vatBreakdown[${index}]`,
      given: `${entry.category} ${entry.rate ?? ''}`.trim(),
      expected: 'a category and rate of a line, an allowance or a charge',
    });
  }
  return [...taxable].map(([key, { vat, amount }]) => {
    const { entry, index } = stated.get(key) ?? {};
    const path = `vatBreakdown[${index}]`;
    const rate = vat.category === 'O' ? undefined : (vat.rate ?? '0');
    const tax = divide(amount.multiply(decimalOf(rate ?? '0')), hundred);
    return {
      category: vat.category,
      rate,
      taxable: check.settle(amount, entry?.taxable, {
        rule: `BR-${vat.category}-08`,
        term: 'BT-116',
        path: `${path}.taxable`,
      }),
      tax: check.settle(tax, entry?.tax, { rule: 'BR-CO-17', term: 'BT-117', path: `${path}.tax` }),
      exemptionReason: entry?.exemptionReason,
      exemptionCode: entry?.exemptionCode,
    };
  });
}

function totalsOf(invoice: Invoice, parts: Parts & Pick<CompleteInvoice, 'vatBreakdown'>, check: Comparison): Totals {
  const given = invoice.totals ?? {};
  const at = (field: keyof Totals, term: string, rule: string) => ({ rule, term, path: `totals.${field}` });
  const lines = sumOf(parts.lines.map(({ netAmount }) => netAmount));
  const allowances = sum(parts.allowances);
  const charges = sum(parts.charges);
  const withoutVat = subtract(lines, allowances).add(charges);
  const vat = sumOf(parts.vatBreakdown.map(({ tax }) => tax));
  const withVat = withoutVat.add(vat);
  const [paid, rounding] = [decimalOf(given.paid ?? '0'), decimalOf(given.rounding ?? '0')];
  const payable = subtract(withVat, paid).add(rounding);
  return {
    lines: check.settle(lines, given.lines, at('lines', 'BT-106', 'BR-CO-10')),
    allowances: check.settle(allowances, given.allowances, at('allowances', 'BT-107', 'BR-CO-11')),
    charges: check.settle(charges, given.charges, at('charges', 'BT-108', 'BR-CO-12')),
    withoutVat: check.settle(withoutVat, given.withoutVat, at('withoutVat', 'BT-109', 'BR-CO-13')),
    vat: check.settle(vat, given.vat, at('vat', 'BT-110', 'BR-CO-14')),
    vatInVatCurrency: given.vatInVatCurrency,
    withVat: check.settle(withVat, given.withVat, at('withVat', 'BT-112', 'BR-CO-15')),
    paid: formatAmount(paid),
    rounding: formatAmount(rounding),
    payable: check.settle(payable, given.payable, at('payable', 'BT-115', 'BR-CO-16')),
  };
}

const one: Decimal = new Decimal(1n, 0);
const hundred: Decimal = new Decimal(100n, 0);

const sum = (entries: readonly { readonly amount: string }[]): Decimal => sumOf(entries.map(({ amount }) => amount));

const keyOf = ({ category, rate }: Line['vat']): string =>
  category === 'O' ? category : `${category} ${decimalOf(rate ?? '0')}`;
