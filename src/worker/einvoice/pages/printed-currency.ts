const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const symbolsOf: Readonly<Record<string, readonly string[]>> = {
  EUR: ['€', 'Euro', 'euro', 'EURO', 'Euros', 'euros', 'EUROS', 'Eur'],
  GBP: ['£', '£GBP', 'GBP£', 'GB£'],
  USD: ['$', 'US$', '$US', 'USD$', 'U$S', 'dollars'],
  CAD: ['$', 'CA$', '$CA', 'C$', 'CAD$', 'dollars'],
  AUD: ['$', 'AU$', '$AU', 'A$', 'AUD$', 'dollars'],
  NZD: ['$', 'NZ$', '$NZ', 'dollars'],
  HKD: ['$', 'HK$', '$HK', 'dollars'],
  SGD: ['$', 'SG$', 'S$', 'dollars'],
  MXN: ['$', 'MX$', '$MX'],
  ARS: ['$'],
  CLP: ['$'],
  COP: ['$'],
  BRL: ['R$'],
  JPY: ['¥', 'JP¥', '円'],
  CNY: ['¥', 'CN¥', '元'],
  TRY: ['₺', 'TL'],
  INR: ['₹'],
  KRW: ['₩'],
  CHF: ['Fr', 'fr', 'SFr', 'sFr', 'SFR', 'Franken', 'Francs', 'francs'],
  SEK: ['kr', 'Kr'],
  NOK: ['kr', 'Kr'],
  DKK: ['kr', 'Kr'],
  ISK: ['kr', 'Kr'],
  PLN: ['zł', 'zl'],
  CZK: ['Kč'],
  HUF: ['Ft'],
  RON: ['lei'],
};

const symbols: ReadonlySet<string> = new Set(Object.values(symbolsOf).flat());

const maxCurrencyChars = 20;

/** A code or symbol without the brackets and the punctuation around it; undefined for another text. */
export function currencyIn(text: string): string | undefined {
  if (text.length > maxCurrencyChars) return undefined;
  if (codes.has(text) || symbols.has(text)) return text;
  const bare = text.replace(/^[^\p{L}\p{N}\p{Sc}]+/u, '').replace(/[^\p{L}\p{N}\p{Sc}]+$/u, '');
  return codes.has(bare) || symbols.has(bare) ? bare : undefined;
}

/** Whether a text is the code or the symbol of any currency. */
export const isCurrency = (text: string): boolean => currencyIn(text) !== undefined;

/** Whether a code or a symbol on a page means the currency. */
export function meansCurrency(printed: string, currency: string): boolean {
  const bare = currencyIn(printed);
  return bare !== undefined && (bare === currency || (symbolsOf[currency]?.includes(bare) ?? false));
}
