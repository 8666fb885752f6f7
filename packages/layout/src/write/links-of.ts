import type { LinkTarget, NoteEnd } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import type { LineItem } from '../layout/items.ts';
import type { TextFragment } from '../layout/line.ts';
import type { Page } from '../layout/page.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { pdfNumber, textString } from './pdf-objects.ts';

const twipsPerPoint = 20;

/** Destinations (ISO 32000-1, 12.3.2), keyed by target. */
export type NotePlaces = ReadonlyMap<string, string>;

/** The positions of footnote numbers, in the text and at the notes. `numbers` are the object numbers of the pages. */
export function findNoteEnds(pages: readonly Page[], numbers: readonly number[]): NotePlaces {
  const places = new Map<string, string>();
  for (const [index, page] of pages.entries()) {
    for (const { item, fragment, target } of linkedTexts(page)) {
      if ('address' in target) continue;
      // A number links to the other end of its note.
      const own: NoteEnd = { note: target.note, of: target.of === 'note' ? 'reference' : 'note' };
      const place = [item.left + fragment.x / dotsPerTwip, page.geometry.height - item.top];
      const at = place.map((twips) => pdfNumber(twips / twipsPerPoint)).join(' ');
      places.set(keyOf(own), `[${numbers[index]} 0 R /XYZ ${at} 0]`);
    }
  }
  return places;
}

const keyOf = ({ note, of }: NoteEnd): string => `${of} ${note}`;

/**
 * The link annotations of a page (12.5.6.5), one for each run of text in a line. `keys` are their entries in the
 * document's structure. Throws UnknownFeature.
 */
export function linksOf(page: Page, places: NotePlaces, keys: readonly string[]): readonly string[] {
  const texts = linkedTexts(page);
  const described = describeLinks(texts);
  return texts.map(({ item, fragment, target }, index) => {
    const description = textString(described.get(target) ?? '');
    return annotation(item, fragment, page, `${action(target, places)} /Contents ${description}${keys[index] ?? ''}`);
  });
}

/** Each line of a link has an annotation of its own that repeats the description. */
const mostCharacters = 400;

/** The description of each link: the author's, otherwise its text on the page, otherwise its address. */
function describeLinks(texts: readonly LinkedText[]): ReadonlyMap<LinkTarget, string> {
  const described = new Map<LinkTarget, string>();
  let before: LineItem | undefined;
  for (const { item, fragment, target } of texts) {
    const space = before === item ? '' : ' ';
    described.set(target, `${described.get(target) ?? ''}${space}${textOf(fragment)}`);
    before = item;
  }
  for (const [target, text] of described) {
    const [tip, address] = 'address' in target ? [target.tip?.trim(), target.address] : [];
    const shown = text.replaceAll(/\s+/g, ' ').trim();
    described.set(target, (tip || shown || address || '').slice(0, mostCharacters));
  }
  return described;
}

function textOf({ words, gaps }: TextFragment): string {
  return words.map(({ text }, index) => ((gaps[index] ?? 0) > 0 ? `${text} ` : text)).join('');
}

interface LinkedText {
  readonly item: LineItem;
  readonly fragment: TextFragment;
  readonly target: LinkTarget;
}

function linkedTexts({ items }: Page): readonly LinkedText[] {
  const texts: LinkedText[] = [];
  for (const item of items) {
    if (item.kind !== 'line') continue;
    for (const fragment of item.line.fragments)
      if (fragment.kind === 'text' && fragment.link !== undefined)
        texts.push({ item, fragment, target: fragment.link });
  }
  return texts;
}

function action(target: LinkTarget, places: NotePlaces): string {
  if (!('address' in target)) {
    const place = places.get(keyOf(target));
    if (place === undefined) throw new UnknownFeature('a footnote without its number');
    return `/Dest ${place}`;
  }
  // Addresses are ASCII (12.6.4.7).
  return `/A <</S /URI /URI <${Buffer.from(target.address, 'latin1').toString('hex')}>>>`;
}

function annotation(
  { left, top, line }: LineItem,
  { x, width, font }: TextFragment,
  page: Page,
  leads: string,
): string {
  const [from, baseline] = [left + x / dotsPerTwip, page.geometry.height - top - line.ascent];
  const box = [from, baseline - (font.lineHeight - font.ascent), from + width / dotsPerTwip, baseline + font.ascent];
  const rectangle = box.map((twips) => pdfNumber(twips / twipsPerPoint)).join(' ');
  return `<</Type /Annot /Subtype /Link /F 4 /Border [0 0 0] /Rect [${rectangle}] ${leads}>>`;
}
