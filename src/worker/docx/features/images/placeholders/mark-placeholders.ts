import { escapeText } from '@docmill/word/escape-xml';
import { scanXmlTags } from '@docmill/word/xml-tokens';
import { hideNumber } from '../../../language/hidden-number.ts';
import { docxLimits } from '../../../limits.ts';
import { type Placeholder, readPlaceholder } from './placeholder.ts';
import { readVmlPlaceholder } from './vml-placeholder.ts';

export interface MarkedPart {
  readonly xml: string;
  readonly placeholders: readonly Placeholder[];
}

/**
 * Replaces each picture whose alternative text is a tag by text with that tag, so that it is read, checked and repeated
 * like any other tag. The picture's number is hidden in the tag.
 */
export function markPlaceholders(xml: string): MarkedPart {
  if (!/(?:descr|title|alt)\s*=\s*["']\s*\{%/.test(xml)) return { xml, placeholders: [] };
  const placeholders: Placeholder[] = [];
  const pieces: string[] = [];
  const open: { readonly start: number; holdsOther: boolean }[] = [];
  let read = 0;
  scanXmlTags(xml, ({ local, kind, start, end }) => {
    if (local !== 'drawing' && local !== 'pict') return;
    const around = open.at(-1);
    if (kind === 'open') {
      if (around !== undefined) around.holdsOther = true;
      open.push({ start, holdsOther: false });
    }
    if (kind !== 'close' || around === undefined) return;
    open.pop();
    // One more than the limit, so that the template is rejected for too many tags.
    const isRead = !around.holdsOther && placeholders.length <= docxLimits.tags;
    const whole = xml.slice(around.start, end);
    const placeholder = isRead ? (local === 'drawing' ? readPlaceholder(whole) : readVmlPlaceholder(whole)) : undefined;
    if (placeholder === undefined) return;
    const text = `<w:t>${escapeText(hideNumber(placeholder.tag, placeholders.length))}</w:t>`;
    pieces.push(xml.slice(read, around.start), placeholder.kept ?? '', text);
    placeholders.push(placeholder);
    read = end;
  });
  pieces.push(xml.slice(read));
  return { xml: pieces.join(''), placeholders };
}
