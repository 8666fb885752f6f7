import type { DocxPackage } from '../../../docx/package/open-package.ts';
import {
  type Relationship,
  readRelationships,
  relationshipsPartOf,
  resolveTarget,
} from '../../../docx/package/relationships.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type ContentsField, createContentsField } from './contents-field.ts';
import { contrastTexts } from './contrast-texts.ts';
import { createListCounter } from './count-lists.ts';
import { openCustomData } from './custom-data.ts';
import type { ParagraphContext } from './paragraph-context.ts';
import { contentOf } from './read-control.ts';
import { createFootnotes, type Footnotes } from './read-footnotes.ts';
import { readFormats } from './read-formats.ts';
import { readParagraph } from './read-paragraph.ts';
import type { Settings } from './read-settings.ts';
import { readTable } from './read-table.ts';
import { readSharedStory, type StorySources } from './shared-stories.ts';
import type { Block } from './tree.ts';
import { isForeignMarker, parseElement, type XmlElement } from './xml-element.ts';

/** Reads the parts of a document, with its styles, lists and settings. All that it reads throws UnknownFeature. */
export interface DocumentReader {
  readonly settings: Settings;
  /** The id of the default paragraph style. */
  readonly defaultStyle: string;
  readonly contents: ContentsField;
  /** Reads a child of `w:body`. Lists go on counting from one to the next. */
  readBlock(element: XmlElement): readonly Block[];
  /** Reads the header or footer of a relationship, whose part becomes elements by `parse`. */
  readStory(id: string, parse?: (xml: string) => XmlElement): readonly Block[];
}

/** Elements between blocks that take no space. */
const markers: ReadonlySet<string> = new Set([
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:proofErr',
  'w:permStart',
  'w:permEnd',
]);

/** Throws UnknownFeature, and as `openPackage` for broken parts. */
export function openReader(source: DocxPackage): DocumentReader {
  const { mainPart } = source;
  const relationsOf = relationsReader(source);
  const relations = relationsOf(mainPart);
  const formats = readFormats(source, (kind) => {
    const found = relations.find((relation) => relation.kind === kind && !relation.isExternal);
    return found && resolveTarget(mainPart, found.target);
  });
  const { settings, numbering, styles, themeFont } = formats;
  const { compatibilityMode, hyphenates } = settings;
  const data = openCustomData(source);
  const contextOf = (part: string): ParagraphContext => ({
    styles,
    themeFont,
    compatibilityMode,
    hyphenates,
    data,
    numbering,
    // LibreOffice counts the lists of headers and footers for themselves.
    lists: createListCounter(numbering, part !== mainPart),
    readPicture: (id) => readPicture(source, part, relationsOf(part), id),
    linkOf: (id) =>
      relationsOf(part).find((one) => one.id === id && one.kind === 'hyperlink' && one.isExternal)?.target,
  });
  const contents = createContentsField();
  const notes = relations.find((relation) => relation.kind === 'footnotes' && !relation.isExternal);
  const notesPart = notes && resolveTarget(mainPart, notes.target);
  const context = {
    ...contextOf(mainPart),
    contents,
    footnotes:
      notesPart === undefined
        ? undefined
        : openFootnotes(source, notesPart, settings.hasNoteOptions, contextOf(notesPart)),
  };
  return {
    settings,
    defaultStyle: styles.defaultParagraph,
    contents,
    readBlock: (element) => readBlock(element, context),
    readStory(id, parse) {
      const found = relations.find((relation) => relation.id === id && !relation.isExternal);
      const name = found && resolveTarget(mainPart, found.target);
      const xml = name === undefined ? undefined : source.readText(name);
      if (name === undefined || xml === undefined) throw new UnknownFeature('a missing header or footer');
      const own = contextOf(name);
      const read = (sources: StorySources): readonly Block[] =>
        contrastTexts(
          (parse ?? parseElement)(xml).children.flatMap((child) => readBlock(child, { ...own, ...sources })),
        );
      return parse === undefined ? readSharedStory(formats, xml, own, read) : read(own);
    },
  };
}

function openFootnotes(source: DocxPackage, part: string, hasOptions: boolean, context: ParagraphContext): Footnotes {
  let root: XmlElement | undefined;
  return createFootnotes({
    styles: context.styles,
    hasOptions,
    all() {
      root ??= parseElement(source.readText(part) ?? '');
      return root.children;
    },
    readBlocks: (note, noteNumber) =>
      contrastTexts(note.children.flatMap((child) => readBlock(child, { ...context, noteNumber }))),
  });
}

/** The relationships of parts, read once. */
function relationsReader(source: DocxPackage): (part: string) => readonly Relationship[] {
  const known = new Map<string, readonly Relationship[]>();
  return (part) => {
    const found = known.get(part) ?? readRelationships(source.readText(relationshipsPartOf(part)) ?? '');
    known.set(part, found);
    return found;
  };
}

function readPicture(
  source: DocxPackage,
  part: string,
  relations: readonly Relationship[],
  id: string,
): Buffer | undefined {
  const found = relations.find((relation) => relation.id === id && relation.kind === 'image' && !relation.isExternal);
  return found && source.read(resolveTarget(part, found.target));
}

function readBlock(element: XmlElement, context: ParagraphContext): readonly Block[] {
  if (element.name === 'w:p') return [readParagraph(element, context)];
  if (element.name === 'w:tbl') {
    const inside = { ...context, footnotes: undefined };
    return [readTable(element, inside, { isInCell: false, readBlock: readCellBlock })];
  }
  if (markers.has(element.name) || isForeignMarker(element)) return [];
  if (element.name === 'w:sdt') return contentOf(element, context.data).flatMap((child) => readBlock(child, context));
  throw new UnknownFeature(element.name);
}

/** The blocks of a cell; a table in it contains no other table. */
function readCellBlock(element: XmlElement, context: ParagraphContext): readonly Block[] {
  if (element.name === 'w:tbl') return [readTable(element, context, { isInCell: true, readBlock: readInnerBlock })];
  return readBlock(element, context);
}

function readInnerBlock(element: XmlElement, context: ParagraphContext): readonly Block[] {
  if (element.name === 'w:tbl') throw new UnknownFeature('a table in a table in a table');
  return readBlock(element, context);
}
