const languages = [
  ...['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'nb', 'da', 'fi', 'is', 'pl', 'cs', 'sk', 'sl', 'hr'],
  ...['hu', 'ro', 'bg', 'el', 'tr', 'et', 'lv', 'lt', 'uk'],
];

let months: ReadonlyMap<string, number> | undefined;

/**
 * The number of a month by its name or abbreviation in a European language, with or without accents. Undefined for any
 * other word, and for one that names different months in two languages: listopad is October or November.
 */
export function monthOf(name: string): number | undefined {
  months ??= collectMonths();
  return months.get(plain(name));
}

function collectMonths(): ReadonlyMap<string, number> {
  const found = new Map<string, number>([['sept', 9]]);
  const unclear = new Set<string>();
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      // Many languages inflect the name next to a day.
      for (const options of [{ month: style }, { month: style, day: 'numeric' } as const]) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
        for (let month = 1; month <= 12; month++) {
          const parts = format.formatToParts(Date.UTC(2026, month - 1, 1));
          const name = plain(parts.find(({ type }) => type === 'month')?.value ?? '');
          if (!/^\p{L}+$/u.test(name)) continue;
          if ((found.get(name) ?? month) !== month) unclear.add(name);
          found.set(name, month);
        }
      }
    }
  }
  for (const name of unclear) found.delete(name);
  return found;
}

function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\p{M}.]/gu, '')
    .trim()
    .toLowerCase();
}
