import type { ScannedPart } from '../core/compile/scan-template.ts';
import { markPlaceholders } from '../features/images/mark-placeholders.ts';
import type { PartAddresses } from '../features/links/scan-addresses.ts';
import { hasFieldAddress } from '../features/links/split-links.ts';
import { isOddName } from '../language/expressions/parse-tag-text.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { attributeOf, decodeEntities, scanTags } from '../package/xml-tokens.ts';
import type { Warning } from '../sanitize/sanitize-package.ts';

const mostWarnings = 50;
const trackedMessage =
  'Documents show the tracked changes of the template, what was deleted too. Accept or reject them before you upload it.';
const likeFormula = /[?()%!]|\s(?:and|or|not)\s/;
const tagInText = /\{(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\})[^{}]{1,60}\}/gi;

const trackedText = /<w:(?:ins|del|moveFrom|moveTo)\s[^>]*[^/]>\s*<w:r[\s>]/;

/**
 * What a template's author may have meant otherwise: tags where none are filled, tags that look like formulas but are names,
 * tracked changes that nobody accepted.
 */
export function templateWarnings(source: DocxPackage, scanned: readonly ScannedPart[]): Warning[] {
  const found = new Map<string, Warning>();
  const add = (code: string, message: string, part: string) => {
    if (found.size < mostWarnings) found.set(`${message} ${part}`, { code, message, part });
  };
  for (const { name, label, tags, addresses } of scanned) {
    if (trackedText.test(source.readText(name) ?? '')) add('tracked_changes', trackedMessage, label);
    for (const { written, text, kind } of tags) {
      if (kind !== 'close' && kind !== 'picture' && likeFormula.test(text) && isOddName(text))
        add('formula', `${written} is looked up as a name: it is no valid formula.`, label);
    }
    for (const { tag, place } of unfilledTags(source, name, addresses)) {
      add('tag_not_filled', `${tag} stands in ${place}, where tags are not filled.`, label);
    }
  }
  return [...found.values()];
}

interface UnfilledTag {
  readonly tag: string;
  readonly place: string;
}

function unfilledTags(source: DocxPackage, name: string, { byId }: PartAddresses): UnfilledTag[] {
  const { xml } = markPlaceholders(source.readText(name) ?? '');
  const found: UnfilledTag[] = [];
  const look = (text: string, place: string) => {
    for (const [tag] of decodeEntities(text).matchAll(tagInText)) found.push({ tag, place });
  };
  let codeStart = -1;
  scanTags(xml, (tag) => {
    if (tag.local === 'instrText') {
      if (tag.kind === 'open') codeStart = tag.end;
      else if (codeStart >= 0 && !hasFieldAddress(xml.slice(xml.lastIndexOf('<', codeStart - 1), tag.end)))
        look(xml.slice(codeStart, tag.start), 'a field code');
    } else if (tag.local === 'docPr' && tag.kind !== 'close') {
      look(attributeOf(xml, tag, 'descr') ?? '', 'the alternative text of a picture');
    } else if (tag.local === 'shape' && tag.kind !== 'close') {
      look(attributeOf(xml, tag, 'alt') ?? '', 'the alternative text of a picture');
    }
  });
  const rels = source.readText(name.replace(/([^/]+)$/, '_rels/$1.rels')) ?? '';
  scanTags(rels, (tag) => {
    if (tag.local !== 'Relationship' || tag.kind === 'close' || byId.has(attributeOf(rels, tag, 'Id') ?? '')) return;
    const target = attributeOf(rels, tag, 'Target') ?? '';
    look(target.replace(/%7B/gi, '{').replace(/%7D/gi, '}'), 'the address of a link');
  });
  return found;
}
