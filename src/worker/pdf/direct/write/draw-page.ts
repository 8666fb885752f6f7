import type { FontFace } from '../font-face.ts';
import type { TextFragment } from '../layout/line.ts';
import type { Page } from '../layout/place-blocks.ts';
import { dotsPerTwip } from '../sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { UsedFont } from './embed-font.ts';
import { pdfNumber } from './pdf-objects.ts';

const twipsPerPoint = 20;
const dotsPerPoint = dotsPerTwip * twipsPerPoint;
/** Positions that differ by less, in thousandths of the size, are not corrected. */
const leastShift = 0.5;

/** The content of a page (ISO 32000-1, 7.8.2). `fontOf` names the font of a text as a resource. */
export function drawPage(page: Page, fontOf: (face: FontFace) => UsedFont): string {
  const operators: string[] = [];
  const height = page.geometry.height / twipsPerPoint;
  for (const { left, top, line } of page.items) {
    const baseline = height - (top + line.ascent) / twipsPerPoint;
    for (const fragment of line.fragments) {
      if (fragment.kind === 'picture') throw new UnknownFeature('a picture');
      const x = left / twipsPerPoint + fragment.x / dotsPerPoint;
      operators.push(drawText(fragment, x, baseline, fontOf(fragment.font.face)));
    }
  }
  return operators.join('\n');
}

function drawText({ words, gaps, font, format }: TextFragment, x: number, y: number, used: UsedFont): string {
  const size = font.halfPoints / 2;
  const shown: string[] = [];
  let open = '';
  let shift = 0;
  const space = font.shape(' ');
  const dotsPerEm = font.halfPoints * 10 * dotsPerTwip;
  for (const [index, word] of words.entries()) {
    const gap = gaps[index] ?? 0;
    used.use(word);
    open += word.hex;
    shift += word.excess;
    if (gap > 0) {
      used.use(space);
      open += space.hex;
      shift += ((space.width - gap) * 1000) / dotsPerEm + space.excess;
    }
    if (Math.abs(shift) < leastShift) continue;
    shown.push(`<${open}>${pdfNumber(shift)}`);
    [open, shift] = ['', 0];
  }
  if (open !== '') shown.push(`<${open}>`);
  if (shown.length === 0) return '';
  const ink = colorOperator(format.color ?? '000000', 'rg');
  return `BT ${ink} /${used.name} ${pdfNumber(size)} Tf ${pdfNumber(x)} ${pdfNumber(y)} Td [${shown.join('')}] TJ ET`;
}

/** Sets a colour given as RRGGBB (8.6.8). */
function colorOperator(color: string, operator: 'rg' | 'RG'): string {
  const parts = [0, 2, 4].map((at) => pdfNumber(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  return `${parts.join(' ')} ${operator}`;
}
