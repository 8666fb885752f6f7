import { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, scanXmlTags, type XmlAttribute, type XmlTag } from '@docmill/word/xml-tokens';
import { asDocumentDate } from './date-fields.ts';
import { FieldDisabler } from './disable-fields.ts';
import { asArabicPages, isIf, isMisread, readsOtherFile } from './field-instruction.ts';
import { isWebLink } from './unwanted-content.ts';
import type { WarningCode } from './warnings.ts';

// The only elements that may refer to a web link: readers load the targets of all others automatically.
const linkElements = new Set(['hyperlink', 'hlinkClick', 'hlinkHover', 'hlinkMouseOver']);

// Elements that are meaningless without their relationship; other elements lose only the attribute.
const meaninglessAlone = new Set([
  'movie',
  'attachedTemplate',
  'sourceFileName',
  'saveThroughXslt',
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
  'OLEObject',
  'altChunk',
  'subDoc',
  'control',
]);

// Elements that are always removed, even without a relationship.
const unwantedElements: ReadonlyMap<string, WarningCode> = new Map<string, WarningCode>([
  ['altChunk', 'imported_content'],
  ['subDoc', 'imported_content'],
  ['frameset', 'imported_content'],
  ['OLEObject', 'embedded_object'],
  ['objectEmbed', 'embedded_object'],
  ['objectLink', 'embedded_object'],
  ['mailMerge', 'mail_merge'],
  ['control', 'active_content'],
  ['embedRegular', 'embedded_font'],
  ['embedBold', 'embedded_font'],
  ['embedItalic', 'embedded_font'],
  ['embedBoldItalic', 'embedded_font'],
  // A picture reference may point to any part, and readers find SVG anywhere in it.
  ['svg', 'unsafe_picture'],
]);

/** The relationships of a part as its markup refers to them. */
export interface References {
  /** The ids of relationships that were removed. */
  readonly removedIds: ReadonlySet<string>;
  /** The ids of links to the web, which only hyperlinks may use. */
  readonly linkIds: ReadonlySet<string>;
}

export interface MarkupInput extends References {
  readonly xml: string;
  /** Decides whether to keep a field with tags: a link, or a condition. */
  readonly keepsLinks: () => boolean;
  /** Whether the part is a data store, where apparent links are data. */
  readonly isData: () => boolean;
  readonly onRemoved: (code: WarningCode) => void;
  /** Elements to remove. Default: all that must not reach a converter. */
  readonly elements?: ReadonlyMap<string, WarningCode> | undefined;
  /** Whether to keep IF fields, which are computed later. */
  readonly keepsConditions?: boolean | undefined;
  /** Whether to keep all links, wherever they lead, and embedded objects. */
  readonly keepsContent?: boolean | undefined;
}

/** A part without any of these words has nothing to remove or disable, so it is not scanned. */
const suspiciousWord = new RegExp(
  ['instrText', 'fldSimple', 'fldChar', 'src', 'href', ...unwantedElements.keys()].join('|'),
);

/** Whether a part can contain anything to clean. */
export function needsCleaning(xml: string, { removedIds, linkIds }: References): boolean {
  return removedIds.size > 0 || linkIds.size > 0 || suspiciousWord.test(xml);
}

/** The part without references to removed content; undefined if nothing changed. */
export function cleanMarkup({
  xml,
  removedIds,
  linkIds,
  keepsLinks,
  isData,
  onRemoved,
  elements = unwantedElements,
  keepsConditions = false,
  keepsContent = false,
}: MarkupInput): string | undefined {
  const edits = new TextEdits();
  const found = new Set<WarningCode>();
  const removed = (code: WarningCode) => found.add(code);
  let known: ReadonlySet<string> | undefined;
  const bookmarks = (): ReadonlySet<string> | undefined => {
    if (!bodyMark.test(xml)) return undefined;
    known ??= bookmarksOf(xml);
    return known;
  };
  const fields = new FieldDisabler(xml, edits, {
    keepsLinks,
    onOutside: () => removed('outside_field'),
    isOutside: keepsContent ? readsOtherFile : undefined,
    // A field without an instruction shows its last result.
    rewrite: keepsContent
      ? undefined
      : (code) =>
          isMisread(code, bookmarks) || (!keepsConditions && isIf(code))
            ? ''
            : (asDocumentDate(code) ?? asArabicPages(code)),
  });
  const prefixes = new Set<string>();
  const context: TagContext = { removedIds, linkIds, prefixes, edits, onRemoved: removed, elements, keepsContent };
  let hasSvg = false;
  let cut: { readonly local: string; readonly start: number; depth: number } | undefined;
  scanXmlTags(xml, (tag) => {
    hasSvg ||= tag.local === 'svg';
    if (cut !== undefined) {
      if (tag.local !== cut.local) return;
      if (tag.kind === 'open') cut.depth++;
      if (tag.kind !== 'close' || --cut.depth > 0) return;
      edits.replace(cut.start, tag.end);
      cut = undefined;
      fields.visit(tag);
      return;
    }
    fields.visit(tag);
    if (tag.kind === 'close') return;
    if (!cleanTag(xml, tag, context)) return;
    if (tag.kind === 'empty') edits.replace(tag.start, tag.end);
    else cut = { local: tag.local, start: tag.start, depth: 1 };
  });
  fields.end();
  // In a data store only SVG is active; other apparent references are data.
  if (edits.isEmpty || (!hasSvg && isData())) return undefined;
  for (const code of found) onRemoved(code);
  return edits.apply(xml);
}

/** Identifies the main part, the only one known to hold every bookmark that its fields refer to. */
const bodyMark = /<(?:\w+:)?body[\s>]/;

function bookmarksOf(xml: string): ReadonlySet<string> {
  const names = xml.matchAll(/<(?:\w+:)?bookmarkStart\b[^>]*?:name=["']([^"']*)["']/g);
  return new Set([...names].map(([, name = '']) => name.toLowerCase()));
}

interface TagContext extends References {
  /** Prefixes, with colon, that any element binds to a relationships namespace. */
  readonly prefixes: Set<string>;
  readonly edits: TextEdits;
  readonly onRemoved: (code: WarningCode) => void;
  readonly elements: ReadonlyMap<string, WarningCode>;
  readonly keepsContent: boolean;
}

/** Removes harmful attributes. Returns true if the whole element must be removed. */
function cleanTag(xml: string, tag: XmlTag, context: TagContext): boolean {
  const reason = context.elements.get(tag.local);
  if (reason !== undefined) {
    context.onRemoved(reason);
    return true;
  }
  const attributes = readAttributes(xml, tag);
  for (const { name, local, value } of attributes) {
    if (name.startsWith('xmlns:') && /\/relationships\/?$/.test(value)) context.prefixes.add(`${local}:`);
  }
  for (const attribute of attributes) {
    const removal = reasonToRemoveAttribute(tag, attribute, context);
    if (removal === undefined || (removal === 'hyperlink' && context.keepsContent)) continue;
    if (removal !== 'dangling') context.onRemoved(removal);
    if (removal !== 'hyperlink' && meaninglessAlone.has(tag.local)) return true;
    context.edits.replace(attribute.start, attribute.end);
  }
  return false;
}

/** Why an attribute must be removed; `dangling` if its relationship was removed. */
function reasonToRemoveAttribute(
  tag: XmlTag,
  attribute: XmlAttribute,
  context: TagContext,
): WarningCode | 'dangling' | undefined {
  const { value } = attribute;
  if (isReference(attribute, context.prefixes)) {
    if (context.removedIds.has(value)) return 'dangling';
    if (context.linkIds.has(value)) return linkElements.has(tag.local) ? undefined : 'linked_picture';
  }
  if (!pointsOutside(attribute)) return undefined;
  return attribute.name === 'href' ? 'hyperlink' : 'linked_picture';
}

function isReference({ name, local }: XmlAttribute, prefixes: ReadonlySet<string>): boolean {
  return local === 'relid' || prefixes.has(name.slice(0, name.length - local.length));
}

// VML refers to pictures with src, o:href and o:althref; href is the link of a shape.
function pointsOutside({ name, local, value }: XmlAttribute): boolean {
  const target = value.trim();
  const isPicture = local === 'src' || local === 'althref' || (local === 'href' && name !== local);
  if (isPicture) return !/^(?:#|data:|$)/i.test(target);
  return name === 'href' && !isWebLink(target) && target !== '';
}
