import { relationshipsPartOf } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import type { Delimiters } from '../../../../shared/template-syntax.ts';
import { delimiterPattern, hasDefaultDelimiters } from '../../language/delimiters.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { overlayPackage } from '../../package/overlay-package.ts';
import { isTemplatedPart } from './templated-parts.ts';

/** Attributes that may hold tags outside the text, by element. */
const taggedAttributes: Readonly<Record<string, readonly string[]>> = {
  docPr: ['descr', 'title'],
  shape: ['alt', 'title'],
  alias: ['val'],
  tag: ['val'],
  fldSimple: ['instr'],
  Relationship: ['Target'],
};

/**
 * Replaces other delimiters by `{` and `}` in tags outside the text: in addresses of links, field codes, alternative
 * texts and titles of controls. Word percent-encodes the delimiters in addresses. `delimitTags` handles the text
 * itself.
 */
export function delimitPackage(source: DocxPackage, delimiters: Delimiters): DocxPackage {
  if (hasDefaultDelimiters(delimiters)) return source;
  const changes = new Map<string, Buffer>();
  const names = source.partNames.filter((name) => isTemplatedPart(source, name));
  for (const name of names.flatMap((part) => [part, relationshipsPartOf(part)])) {
    const xml = source.readText(name);
    if (xml === undefined) continue;
    const delimited = delimitMarkup(xml, delimiters);
    if (delimited !== xml) changes.set(name, Buffer.from(delimited));
  }
  return changes.size === 0 ? source : overlayPackage(source, changes);
}

function delimitMarkup(xml: string, { open, close }: Delimiters): string {
  const edits = new TextEdits();
  const pattern = new RegExp(`(${encodedPattern(open)})|(?:${encodedPattern(close)})`, 'gi');
  const delimit = (start: number, end: number) => {
    for (const { 0: found, 1: opening, index } of xml.slice(start, end).matchAll(pattern))
      edits.replace(start + index, start + index + found.length, opening === undefined ? '}' : '{');
  };
  let instruction: XmlTag | undefined;
  scanXmlTags(xml, (tag) => {
    if (tag.local === 'instrText') {
      if (tag.kind === 'close' && instruction !== undefined) delimit(instruction.end, tag.start);
      instruction = tag.kind === 'open' ? tag : undefined;
    }
    const names = taggedAttributes[tag.local];
    if (names === undefined || tag.kind === 'close') return;
    for (const { local, valueStart, end } of readAttributes(xml, tag)) {
      if (names.includes(local)) delimit(valueStart, end - 1);
    }
  });
  return edits.isEmpty ? xml : edits.apply(xml);
}

function encodedPattern(delimiter: string): string {
  return Array.from(delimiter, (char) => {
    const code = char.charCodeAt(0).toString(16);
    return `(?:${delimiterPattern(char)}|%${code})`;
  }).join('');
}
