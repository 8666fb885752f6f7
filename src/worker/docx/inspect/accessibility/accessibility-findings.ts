import type { Warning } from '../../core/warning.ts';

const messages = {
  title_missing:
    'The document has no title. Set it in the properties of the file; until then, accessible PDFs take the file name.',
  language_missing:
    'The document names no language, so readers may pronounce it wrongly. Set the language of the text.',
  alternative_text_missing: 'A picture has no alternative text. Describe it, or mark it as decorative.',
  heading_missing: 'A long text has no headings. Give its headings the styles Heading 1, Heading 2 and so on.',
  heading_first: 'The first heading is not of level 1.',
  heading_skipped: 'A heading skips a level.',
  table_heading_missing: 'The first row of a table is not marked as its heading. Choose Repeat Header Rows for it.',
  merged_cells: 'A table has merged cells, which are hard to follow for readers of single cells.',
  link_text: 'The text of a link is an address, or does not say where it leads.',
  low_contrast: 'The contrast between a text and its background is below 4.5 to 1 (3 to 1 for large text).',
} as const;

export type AccessibilityCode = keyof typeof messages;

/** Collects accessibility problems: one entry per kind, with its first place and a count. */
export function createAccessibilityFindings() {
  const found = new Map<AccessibilityCode, { readonly place: string; count: number }>();
  return {
    /** `place` is text near the finding; it may be empty. */
    add(code: AccessibilityCode, place = ''): void {
      const known = found.get(code);
      if (known === undefined) found.set(code, { place: shorten(place), count: 1 });
      else known.count += 1;
    },
    toWarnings(): Warning[] {
      return [...found].map(([code, { place, count }]) => ({
        code,
        message: place === '' ? messages[code] : `${messages[code]} The first: ${place}.`,
        count,
      }));
    },
  };
}

export type AccessibilityFindings = ReturnType<typeof createAccessibilityFindings>;

const maxPlaceChars = 60;

function shorten(text: string): string {
  const plain = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const chars = [...plain];
  const shown = chars.length > maxPlaceChars ? `${chars.slice(0, maxPlaceChars).join('')}…` : plain;
  return shown === '' ? '' : `"${shown}"`;
}
