import { dotsPerTwip } from '../fonts/sized-font.ts';
import type { LineItem } from '../layout/items.ts';
import type { TextFragment } from '../layout/line.ts';
import type { Page } from '../layout/page.ts';
import { pdfNumber } from './pdf-objects.ts';

const twipsPerPoint = 20;

/** The link annotations of a page (ISO 32000-1, 12.5.6.5), one for each run of text in a line. */
export function linksOf({ geometry, items }: Page): readonly string[] {
  return items.flatMap((item) =>
    item.kind === 'line'
      ? item.line.fragments.flatMap((fragment) =>
          fragment.kind === 'text' && fragment.link !== undefined ? [annotation(item, fragment, geometry.height)] : [],
        )
      : [],
  );
}

function annotation({ left, top, line }: LineItem, { x, width, font, link }: TextFragment, height: number): string {
  const [from, baseline] = [left + x / dotsPerTwip, height - top - line.ascent];
  const box = [from, baseline - (font.lineHeight - font.ascent), from + width / dotsPerTwip, baseline + font.ascent];
  const rectangle = box.map((twips) => pdfNumber(twips / twipsPerPoint)).join(' ');
  // An address is ASCII (12.6.4.7).
  const address = Buffer.from(encodeAddress(link ?? ''), 'latin1').toString('hex');
  return `<</Type /Annot /Subtype /Link /Border [0 0 0] /Rect [${rectangle}] /A <</S /URI /URI <${address}>>>>>`;
}

function encodeAddress(address: string): string {
  return address.replaceAll(/[^!-~]+/g, (characters) => encodeURIComponent(characters.toWellFormed()));
}
