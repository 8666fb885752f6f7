/** How a document writes numbers and dates. */
export interface Conventions {
  /** Decimal signs. French Switzerland has a comma for numbers and a point for amounts. */
  readonly decimals: readonly (',' | '.')[];
  readonly isDayFirst: boolean;
  /** Months by their names and abbreviations, lower case and without marks. */
  readonly months: ReadonlyMap<string, number>;
}

const languages = ['de', 'fr', 'en', 'it', 'es', 'nl', 'de-AT'];
/** Abbreviations that are common, and not those of `Intl`. */
const abbreviations = { mrz: 3, maerz: 3, sett: 9, sept: 9, juill: 7, avril: 4, set: 9, mrt: 3 } as const;
const sample = Date.UTC(2026, 10, 28);
const cached = new Map<string, ReadonlyMap<string, number>>();

/** The conventions of a locale. Without one, all that are common in Europe and America. */
export function conventionsFor(locale: string | undefined): readonly Conventions[] {
  if (locale === undefined) {
    const months = monthsOf(undefined);
    return [
      { decimals: [','], isDayFirst: true, months },
      { decimals: ['.'], isDayFirst: true, months },
      { decimals: ['.'], isDayFirst: false, months },
    ];
  }
  const decimals = [{}, { style: 'currency', currency: locale.endsWith('CH') ? 'CHF' : 'EUR' } as const].map(
    (options) => {
      const parts = new Intl.NumberFormat(locale, options).formatToParts(1.5);
      return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
    },
  );
  const order = new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }).formatToParts(sample).map(({ type }) => type);
  return [
    {
      decimals: [...new Set(decimals)],
      isDayFirst: order.indexOf('day') < order.indexOf('month') || order.indexOf('year') < order.indexOf('month'),
      months: monthsOf(locale),
    },
  ];
}

function monthsOf(locale: string | undefined): ReadonlyMap<string, number> {
  const known = cached.get(locale ?? '');
  if (known !== undefined) return known;
  const months = new Map<string, number>(Object.entries(abbreviations));
  for (const language of locale === undefined ? languages : [...languages, locale]) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' });
      for (let index = 0; index < 12; index++) {
        const parts = format.formatToParts(Date.UTC(2026, index, 1));
        const name = plain(parts.find(({ type }) => type === 'month')?.value ?? '').replace(/\.$/, '');
        if (name !== '' && !months.has(name)) months.set(name, index + 1);
      }
    }
  }
  if (cached.size < maxCached) cached.set(locale ?? '', months);
  return months;
}

const maxCached = 100;

/** Lower case, without marks and ligatures. */
export const plain = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase();

/** Letters and digits only, so that spaces, hyphens and punctuation do not count. */
export const compact = (text: string): string => plain(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
