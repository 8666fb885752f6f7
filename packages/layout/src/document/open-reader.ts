import { type Relationship, readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import type { WordPackage } from '@docmill/word/word-package';
import { UnknownFeature } from '../unknown-feature.ts';
import { type Attempt, strictly } from './attempt.ts';
import { type ContentsField, createContentsField } from './contents-field.ts';
import { contrastTexts } from './contrast-texts.ts';
import { createListCounter } from './count-lists.ts';
import { openCustomData } from './custom-data.ts';
import type { StoryKind } from './fill-stories.ts';
import { printedAddress } from './link-address.ts';
import type { ParagraphContext } from './paragraph-context.ts';
import { parseElement } from './parse-element.ts';
import { shownBy } from './read-control.ts';
import { createFootnotes, type Footnotes } from './read-footnotes.ts';
import { type Formats, readFormats } from './read-formats.ts';
import { readParagraph } from './read-paragraph.ts';
import type { Settings } from './read-settings.ts';
import { readTable, type TableSurroundings } from './read-table.ts';
import { readSharedStory, type StorySources } from './shared-stories.ts';
import type { Block } from './tree.ts';
import { isForeignMarker, type XmlElement } from './xml-element.ts';

/** Reads the parts of a document, with its styles, lists and settings. Every member throws UnknownFeature. */
export interface DocumentReader {
  readonly settings: Settings;
  /** The language of the text (BCP 47), if the document states it. */
  readonly language: string | undefined;
  /** The id of the default paragraph style. */
  readonly defaultStyle: string;
  readonly contents: ContentsField;
  /** Reads a child of `w:body`. The numbering of lists continues from one call to the next. */
  readBlock(element: XmlElement): readonly Block[];
  /** Reads the header or footer of a relationship. `parse` parses its part. */
  readStory(id: string, parse?: (xml: string) => XmlElement): readonly Block[];
  /** The header or footer of pages that have none, although others of their section do. */
  emptyStory(kind: StoryKind): readonly Block[];
}

/** Elements between blocks that take no space. */
const markers: ReadonlySet<string> = new Set([
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:proofErr',
  'w:permStart',
  'w:permEnd',
]);

/** Throws UnknownFeature, unless `attempt` collects it, and the errors of the package for broken parts. */
export function openReader(source: WordPackage, attempt: Attempt = strictly): DocumentReader {
  const { mainPart } = source;
  const relationsOf = relationsReader(source);
  const relations = relationsOf(mainPart);
  const partNameOf = (kind: string): string | undefined => {
    const found = relations.find((relation) => relation.kind === kind && !relation.isExternal);
    return found && resolveTarget(mainPart, found.target);
  };
  const formats = readFormats(source, partNameOf, attempt);
  const { settings, numbering, styles, themeFont } = formats;
  const { compatibilityMode, hyphenates, autoSpacing, keepsStyleInTables } = settings;
  const data = openCustomData(source);
  const contextOf = (part: string): ParagraphContext => ({
    styles,
    themeFont,
    attempt,
    compatibilityMode,
    hyphenates,
    keepsStyleInTables,
    autoSpacing: part === mainPart ? autoSpacing : undefined,
    data,
    numbering,
    hasOutline: part === mainPart,
    // LibreOffice numbers the lists of headers and footers separately.
    lists: createListCounter(numbering, part !== mainPart),
    readPicture: (id) => readPicture(source, part, relationsOf(part), id),
    linkOf(id) {
      const found = relationsOf(part).find((one) => one.id === id && one.kind === 'hyperlink' && one.isExternal);
      return found && printedAddress(found.target);
    },
  });
  const contents = createContentsField();
  const notesPart = partNameOf('footnotes');
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
    language: formats.language,
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
    emptyStory: (kind) => emptyStory(kind, formats, contextOf('')),
  };
}

/** An empty paragraph in Word's style for headers or footers. */
function emptyStory(kind: StoryKind, formats: Formats, context: ParagraphContext): readonly Block[] {
  const style = formats.styles.paragraphStyleOf(kind) ?? formats.styles.defaultParagraph;
  const attributes = new Map([['w:val', style]]);
  const properties = { ...bare, name: 'w:pPr', children: [{ ...bare, name: 'w:pStyle', attributes }] };
  const paragraph = { ...bare, name: 'w:p', children: [properties] };
  return readSharedStory(formats, `empty ${kind}`, context, () => [readParagraph(paragraph, context)]);
}

const bare: XmlElement = { name: '', attributes: new Map(), children: [], text: '' };

function openFootnotes(source: WordPackage, part: string, hasOptions: boolean, context: ParagraphContext): Footnotes {
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
function relationsReader(source: WordPackage): (part: string) => readonly Relationship[] {
  const known = new Map<string, readonly Relationship[]>();
  return (part) => {
    const found = known.get(part) ?? readRelationships(source.readText(relationshipsPartOf(part)) ?? '');
    known.set(part, found);
    return found;
  };
}

function readPicture(
  source: WordPackage,
  part: string,
  relations: readonly Relationship[],
  id: string,
): Buffer | undefined {
  const found = relations.find((relation) => relation.id === id && relation.kind === 'image' && !relation.isExternal);
  return found && source.read(resolveTarget(part, found.target));
}

/** Reads the blocks of an element in its surroundings. */
type ReadBlock = TableSurroundings['readBlock'];

function readBlock(element: XmlElement, context: ParagraphContext): readonly Block[] {
  if (element.name === 'w:tbl') return readWhole(element, { ...context, footnotes: undefined }, false, readCellBlock);
  if (element.name === 'w:sdt') return shownBy(element, context).flatMap((child) => readBlock(child, context));
  return context.attempt(() => readOther(element, context), noBlocks);
}

const noBlocks = (): readonly Block[] => [];

function readOther(element: XmlElement, context: ParagraphContext): readonly Block[] {
  if (element.name === 'w:p') return [readParagraph(element, context)];
  if (markers.has(element.name) || isForeignMarker(element)) return [];
  throw new UnknownFeature(element.name);
}

/**
 * Reads a table. If the table itself is unsupported, an inspection still reads its cells, to report what else is in
 * them.
 */
function readWhole(table: XmlElement, context: ParagraphContext, isInCell: boolean, read: ReadBlock): readonly Block[] {
  return context.attempt(
    () => [readTable(table, context, { isInCell, readBlock: read })],
    () => table.children.flatMap(({ children }) => children.flatMap((cell) => readCell(cell, context, read))),
  );
}

function readCell(cell: XmlElement, context: ParagraphContext, read: ReadBlock): readonly Block[] {
  if (cell.name !== 'w:tc') return [];
  return cell.children.filter(({ name }) => name !== 'w:tcPr').flatMap((child) => read(child, context));
}

/** The blocks of a cell. A nested table must not contain another table. */
function readCellBlock(element: XmlElement, context: ParagraphContext): readonly Block[] {
  return element.name === 'w:tbl' ? readWhole(element, context, true, readInnerBlock) : readBlock(element, context);
}

function readInnerBlock(element: XmlElement, context: ParagraphContext): readonly Block[] {
  return element.name === 'w:tbl' ? context.attempt(refuseInnerTable, noBlocks) : readBlock(element, context);
}

function refuseInnerTable(): never {
  throw new UnknownFeature('a table in a table in a table');
}
