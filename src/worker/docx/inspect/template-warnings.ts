import { attributeOf, decodeEntities, scanXmlTags } from '@docmill/word/xml-tokens';
import type { TemplateSyntax } from '../../../shared/template-syntax.ts';
import type { ScannedPart } from '../core/compile/scan-template.ts';
import type { Features } from '../core/feature.ts';
import type { Warning } from '../core/warning.ts';
import { withDelimiters } from '../language/delimiters.ts';
import { isOddName } from '../language/expressions/parse-tag-text.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { columnSections } from './column-sections.ts';
import { textWarnings } from './text-warnings.ts';

const maxWarnings = 50;
const trackedMessage =
  'Documents show the tracked changes of the template, including deleted text. Accept or reject them before you upload it.';
const likeExpression = /[?()%!]|\s(?:and|or|not)\s/;
const tagInText = /\{(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\})[^{}]{1,60}\}/gi;

const trackedText = /<w:(?:ins|del|moveFrom|moveTo)\s[^>]*[^/]>\s*<w:r[\s>]/;

/**
 * Warnings about likely mistakes: tags that may be text, tags in places where none are filled, tags that look like
 * expressions but are names, sections that are meant to repeat columns, and unaccepted tracked changes.
 */
export function templateWarnings(
  source: DocxPackage,
  scanned: readonly ScannedPart[],
  features: Features,
  syntax: TemplateSyntax,
): Warning[] {
  const found = new Map<string, Warning>();
  const add = (code: string, written: string, part: string) => {
    const message = withDelimiters(written, syntax);
    if (found.size < maxWarnings) found.set(`${message} ${part}`, { code, message, part });
  };
  for (const part of scanned) {
    const { name, label, tags } = part;
    if (trackedText.test(source.readText(name) ?? '')) add('tracked_changes', trackedMessage, label);
    for (const { written, text, kind, syntax: special } of tags) {
      if (kind !== 'close' && special?.isExpression !== false && likeExpression.test(text) && isOddName(text))
        add('formula', `${written} is looked up as a name: it is not a valid expression.`, label);
    }
    for (const { written, columnTag } of columnSections(source.readText(name) ?? '')) {
      const message = `${written} begins and ends in one column of a table, and repeats the rows between. To repeat the column, write ${columnTag} in one of its cells.`;
      add('column_section', message, label);
    }
    for (const { code, message } of textWarnings(part, syntax)) add(code, message, label);
    for (const { tag, place } of unfilledTags(source, part, features)) {
      add('tag_not_filled', `${tag} is in ${place}, where tags are not filled.`, label);
    }
  }
  return [...found.values()];
}

interface UnfilledTag {
  readonly tag: string;
  readonly place: string;
}

function unfilledTags(
  source: DocxPackage,
  { name, filledRelationships }: ScannedPart,
  { all }: Features,
): UnfilledTag[] {
  const written = source.readText(name) ?? '';
  const xml = all.reduce((before, { withoutFilled }) => withoutFilled?.(before) ?? before, written);
  const found: UnfilledTag[] = [];
  const find = (text: string, place: string) => {
    for (const [tag] of decodeEntities(text).matchAll(tagInText)) found.push({ tag, place });
  };
  let instructionStart = -1;
  scanXmlTags(xml, (tag) => {
    if (tag.local === 'instrText') {
      if (tag.kind === 'open') instructionStart = tag.end;
      else if (instructionStart >= 0) find(xml.slice(instructionStart, tag.start), 'a field code');
    } else if (tag.local === 'docPr' && tag.kind !== 'close') {
      find(attributeOf(xml, tag, 'descr') ?? '', 'the alternative text of a picture');
    } else if (tag.local === 'shape' && tag.kind !== 'close') {
      find(attributeOf(xml, tag, 'alt') ?? '', 'the alternative text of a picture');
    }
  });
  const rels = source.readText(name.replace(/([^/]+)$/, '_rels/$1.rels')) ?? '';
  scanXmlTags(rels, (tag) => {
    if (
      tag.local !== 'Relationship' ||
      tag.kind === 'close' ||
      filledRelationships.has(attributeOf(rels, tag, 'Id') ?? '')
    )
      return;
    const target = attributeOf(rels, tag, 'Target') ?? '';
    find(target.replace(/%7B/gi, '{').replace(/%7D/gi, '}'), 'the address of a link');
  });
  return found;
}
