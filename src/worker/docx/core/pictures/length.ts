/** English Metric Units, the unit of DrawingML (ECMA-376 part 1, 20.1.2.1). */
export const emuPer = { px: 9_525, pt: 12_700, pc: 152_400, mm: 36_000, cm: 360_000, in: 914_400, twip: 635 } as const;

/** Word's maximum: 22 inches. */
export const maxEmu = 22 * emuPer.in;
const minEmu = emuPer.px;

const written = /^\s*(\d{1,6}(?:[.,]\d{1,6})?|[.,]\d{1,6})\s*(px|pt|pc|mm|cm|in|%)?\s*$/i;

const maxTextLength = 40;

export type Length = { readonly emu: number } | { readonly problem: string };

/**
 * Parses a length from data or a tag: a number of pixels, a string such as "3cm", or, if `full` is given, a percentage
 * of it.
 */
export function readLength(value: unknown, full?: number): Length {
  const found = typeof value === 'string' && value.length <= maxTextLength ? written.exec(value) : null;
  const number = typeof value === 'number' ? value : Number((found?.[1] ?? 'none').replace(',', '.'));
  const unit = found?.[2]?.toLowerCase() ?? 'px';
  if (!Number.isFinite(number) || (unit === '%' && full === undefined)) return { problem: unreadable(full) };
  const emu = unit === '%' ? (number / 100) * (full ?? 0) : number * emuPer[unit as keyof typeof emuPer];
  if (emu < minEmu || emu > maxEmu) return { problem: 'must be from 1 pixel to 55.88 cm' };
  return { emu: Math.round(emu) };
}

function unreadable(full: number | undefined): string {
  const share = full === undefined ? '' : ', or a share such as "50%"';
  return `must be a number of pixels or a length such as "3cm", "20mm", "1in" or "90pt"${share}`;
}
