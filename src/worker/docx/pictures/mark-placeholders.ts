import { numberTag } from '../language/placeholder-number.ts';
import { scanTags } from '../package/xml-tags.ts';
import { type Placeholder, readPlaceholder } from './placeholder.ts';

export interface MarkedPart {
  readonly xml: string;
  readonly placeholders: readonly Placeholder[];
}

/**
 * Puts a text with the tag in place of each picture whose alternative text is one, so that it is read, checked and
 * repeated like any other tag. The number of the picture is part of the tag.
 */
export function markPlaceholders(xml: string): MarkedPart {
  if (!/(?:descr|title)\s*=\s*["']\s*\{%/.test(xml)) return { xml, placeholders: [] };
  const placeholders: Placeholder[] = [];
  const pieces: string[] = [];
  const open: number[] = [];
  let read = 0;
  scanTags(xml, ({ local, kind, start, end }) => {
    if (local !== 'drawing') return;
    if (kind === 'open') open.push(start);
    if (kind !== 'close') return;
    const from = open.pop();
    const placeholder = from === undefined || from < read ? undefined : readPlaceholder(xml.slice(from, end));
    if (placeholder === undefined || from === undefined) return;
    pieces.push(xml.slice(read, from), `<w:t>${escapeText(numberTag(placeholder.tag, placeholders.length))}</w:t>`);
    placeholders.push(placeholder);
    read = end;
  });
  pieces.push(xml.slice(read));
  return { xml: pieces.join(''), placeholders };
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
