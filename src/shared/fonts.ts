/** A family of installed fonts. */
export interface FontFamily {
  readonly name: string;
  /** Such as `Bold Italic`, sorted. */
  readonly styles: readonly string[];
  /** The scripts it covers (ISO 15924), sorted: `Latn`, `Arab`, `Hans`; `Zsye` is emoji. */
  readonly scripts: readonly string[];
  readonly version?: string | undefined;
}

export type FontStatus = 'available' | 'substituted' | 'missing' | 'unknown';

/** How a PDF renders a font: `substituted` keeps the line breaks, `missing` may change them. */
export interface FontReport {
  readonly name: string;
  readonly status: FontStatus;
  readonly substitute?: string;
}

/** Metric-compatible fonts, best first. Sources: the Croscore and Liberation projects, Carlito, Caladea, Gelasio. */
const metricCompatible: Readonly<Record<string, readonly string[]>> = {
  arial: ['Liberation Sans', 'Arimo'],
  'arial narrow': ['Liberation Sans Narrow'],
  calibri: ['Carlito'],
  cambria: ['Caladea'],
  'courier new': ['Liberation Mono', 'Cousine'],
  georgia: ['Gelasio'],
  helvetica: ['Liberation Sans', 'Nimbus Sans', 'Arimo'],
  times: ['Liberation Serif', 'Nimbus Roman', 'Tinos'],
  'times new roman': ['Liberation Serif', 'Tinos'],
  // LibreOffice substitutes OpenSymbol. Nearly all uses are bullets before a tab stop, so their width does not matter.
  symbol: ['OpenSymbol'],
  wingdings: ['OpenSymbol'],
  'wingdings 2': ['OpenSymbol'],
  'wingdings 3': ['OpenSymbol'],
  courier: ['Liberation Mono', 'Nimbus Mono PS', 'Cousine'],
};

/** The status of each font that a template uses; `unknown` when no worker has reported its fonts. */
export function checkFonts(used: readonly string[], installed: readonly string[] | undefined): FontReport[] {
  if (installed === undefined) return used.map((name) => ({ name, status: 'unknown' }));
  const known = new Set(installed.map((family) => family.toLowerCase()));
  return used.map((name): FontReport => {
    const key = name.toLowerCase();
    if (known.has(key)) return { name, status: 'available' };
    const candidates = Object.hasOwn(metricCompatible, key) ? (metricCompatible[key] ?? []) : [];
    const substitute = candidates.find((family) => known.has(family.toLowerCase()));
    return substitute === undefined ? { name, status: 'missing' } : { name, status: 'substituted', substitute };
  });
}
