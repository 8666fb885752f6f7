import { localName, readAttributes, scanTags, type XmlAttribute, type XmlTag } from '../package/xml-tags.ts';
import { isWebLink } from './judge-relationship.ts';
import { FieldSwitch } from './switch-off-fields.ts';
import { TextEdits } from './text-edits.ts';
import type { WarningCode } from './warnings.ts';

// Elements that mean nothing without the relationship they name; of all others only the attribute goes.
const dropped = new Set([
  'control',
  'movie',
  'attachedTemplate',
  'sourceFileName',
  'saveThroughXslt',
  'embedRegular',
  'embedBold',
  'embedItalic',
  'embedBoldItalic',
  'hlinkClick',
  'hlinkHover',
  'hlinkMouseOver',
  'externalData',
  'svgBlip',
  'imgLayer',
  'videoFile',
  'audioFile',
  'wavAudioFile',
  'quickTimeFile',
]);

// Elements taken out wherever they are, also when they name no relationship.
const always = new Map<string, WarningCode>([
  ['altChunk', 'imported_content'],
  ['subDoc', 'imported_content'],
  ['frameset', 'imported_content'],
  ['OLEObject', 'embedded_object'],
  ['objectEmbed', 'embedded_object'],
  ['objectLink', 'embedded_object'],
  ['mailMerge', 'mail_merge'],
  // A picture reference may name any part, and readers find SVG anywhere in it.
  ['svg', 'unsafe_picture'],
]);

export interface MarkupInput {
  readonly xml: string;
  /** The ids of the relationships of this part that were removed. */
  readonly removedIds: ReadonlySet<string>;
  readonly onRemoved: (code: WarningCode) => void;
}

const svgElement = /<(?:[^\s<>]*:)?svg[\s/>]/;

/** Whether a part can hold anything to clean; a part that cannot is never parsed. */
export function needsCleaning(name: string, xml: string, removedIds: ReadonlySet<string>): boolean {
  if (svgElement.test(xml)) return true;
  // Data stores and properties are no markup: what looks like a link there is data.
  if (/^(?:customxml|docprops)\//i.test(name)) return false;
  return (
    removedIds.size > 0 || /instrText|fldSimple|(?:src|href)\s*=|altChunk|subDoc|OLEObject|mailMerge|frameset/.test(xml)
  );
}

/** The part without references to what was removed, or undefined when nothing had to change. */
export function cleanMarkup({ xml, removedIds, onRemoved }: MarkupInput): string | undefined {
  const edits = new TextEdits();
  const fields = new FieldSwitch(xml, edits, () => onRemoved('outside_field'));
  const prefixes = relationshipPrefixes(xml);
  let cut: { readonly local: string; readonly start: number; depth: number } | undefined;
  scanTags(xml, (tag) => {
    if (cut !== undefined) {
      if (tag.local !== cut.local) return;
      if (tag.kind === 'open') cut.depth++;
      if (tag.kind !== 'close' || --cut.depth > 0) return;
      edits.replace(cut.start, tag.end);
      cut = undefined;
      return;
    }
    fields.visit(tag);
    if (tag.kind === 'close') return;
    if (!cleanTag(xml, tag, { removedIds, prefixes, edits, onRemoved })) return;
    if (tag.kind === 'empty') edits.replace(tag.start, tag.end);
    else cut = { local: tag.local, start: tag.start, depth: 1 };
  });
  fields.end();
  return edits.isEmpty ? undefined : edits.apply(xml);
}

interface TagContext {
  readonly removedIds: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
  readonly edits: TextEdits;
  readonly onRemoved: (code: WarningCode) => void;
}

/** Takes harmful attributes out; true when the whole element has to go. */
function cleanTag(xml: string, tag: XmlTag, { removedIds, prefixes, edits, onRemoved }: TagContext): boolean {
  const reason = always.get(tag.local);
  if (reason !== undefined) {
    onRemoved(reason);
    return true;
  }
  if (xml.indexOf('=', tag.start) > tag.end) return false;
  for (const attribute of readAttributes(xml, tag)) {
    const isRemoved = removedIds.has(attribute.value) && isReference(attribute, prefixes);
    if (isRemoved && dropped.has(tag.local)) return true;
    const isOutside = !isRemoved && pointsOutside(attribute);
    if (isOutside) onRemoved(attribute.name === 'href' ? 'hyperlink' : 'linked_picture');
    if (isRemoved || isOutside) edits.replace(attribute.start, attribute.end);
  }
  return false;
}

function isReference({ name, local }: XmlAttribute, prefixes: ReadonlySet<string>): boolean {
  return local === 'relid' || prefixes.has(name.slice(0, name.length - local.length));
}

// VML names pictures by src, o:href and o:althref, and links of shapes by href.
function pointsOutside({ name, local, value }: XmlAttribute): boolean {
  if (local === 'src' || local === 'althref' || (local === 'href' && name !== local))
    return !/^(?:#|data:|$)/i.test(value.trim());
  return name === 'href' && !isWebLink(value) && value.trim() !== '';
}

/** The prefixes (with colon) that are bound to a relationships namespace anywhere in the part. */
function relationshipPrefixes(xml: string): Set<string> {
  const bindings = xml.matchAll(/xmlns:([^\s=<>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  const prefixes = new Set<string>();
  for (const [, prefix, double, single] of bindings) {
    if (/\/relationships\/?$/.test(double ?? single ?? '')) prefixes.add(`${localName(prefix ?? '')}:`);
  }
  return prefixes;
}
