const halfPointsPerUnit: Readonly<Record<string, number>> = {
  pt: 2,
  px: 1.5,
  pc: 24,
  in: 144,
  cm: 144 / 2.54,
  mm: 14.4 / 2.54,
};
const keywords: Readonly<Record<string, number>> = {
  'xx-small': 14,
  'x-small': 15,
  small: 20,
  medium: 24,
  large: 27,
  'x-large': 36,
  'xx-large': 48,
  'xxx-large': 72,
};
// Word: 1 to 1638 points (ECMA-376 part 1, 17.3.2.38).
const minHalfPoints = 2;
const maxHalfPoints = 3276;

/** A CSS font size in half points; `em` and `%` are relative to `around`. */
export function fontSizeHalfPoints(text: string, around: number): number | undefined {
  const css = text.trim().toLowerCase();
  const keyword = Object.hasOwn(keywords, css) ? keywords[css] : undefined;
  if (keyword !== undefined) return keyword;
  if (css === 'smaller' || css === 'larger') return clamp(css === 'smaller' ? around / 1.2 : around * 1.2);
  const [, digits = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})(pt|px|pc|in|cm|mm|em|rem|%)$/.exec(css) ?? [];
  if (digits === '') return undefined;
  const number = Number(digits);
  const factor = halfPointsPerUnit[unit] ?? (unit === '%' ? around / 100 : around);
  return number === 0 ? undefined : clamp(number * factor);
}

function clamp(halfPoints: number): number {
  return Math.min(maxHalfPoints, Math.max(minHalfPoints, Math.round(halfPoints)));
}

const maxDeclarations = 50;

/** The declarations of a `style` attribute by property; the last one wins. */
export function readStyle(style: string): ReadonlyMap<string, string> {
  const declarations = new Map<string, string>();
  for (const declaration of style.slice(0, 4000).split(';', maxDeclarations)) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const value = declaration.slice(colon + 1).replace(/!\s*important\s*$/i, '');
    declarations.set(declaration.slice(0, colon).trim().toLowerCase(), value.trim());
  }
  return declarations;
}
