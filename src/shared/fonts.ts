export type FontStatus = 'available' | 'substituted' | 'missing' | 'unknown';

/** What becomes of a font in a PDF: `substituted` keeps every line where it is, `missing` may move them. */
export interface FontReport {
  readonly name: string;
  readonly status: FontStatus;
  readonly substitute?: string;
}

/** Fonts drawn to the same widths, best first. Sources: the Croscore and Liberation projects, Carlito, Caladea, Gelasio. */
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
  // LibreOffice draws their signs from it. Nearly all are bullets, whose text starts at a tab.
  symbol: ['OpenSymbol'],
  wingdings: ['OpenSymbol'],
  'wingdings 2': ['OpenSymbol'],
  'wingdings 3': ['OpenSymbol'],
  courier: ['Liberation Mono', 'Nimbus Mono PS', 'Cousine'],
};

/** Judges each font a template uses against what the workers have; without knowing that, every font is `unknown`. */
export function judgeFonts(used: readonly string[], installed: readonly string[] | undefined): FontReport[] {
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
