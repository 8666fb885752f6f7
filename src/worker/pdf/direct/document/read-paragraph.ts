import { UnknownFeature } from '../unknown-feature.ts';
import type { ContentsField } from './contents-field.ts';
import type { ListCounter } from './count-lists.ts';
import type { CustomData } from './custom-data.ts';
import { overlay, withTable } from './overlay-formats.ts';
import { type InheritedFormat, readParagraphFormat } from './paragraph-format.ts';
import { contentOf } from './read-control.ts';
import { type Footnotes, requireBoundNumbers, requireNoteStyle } from './read-footnotes.ts';
import type { Numbering } from './read-numbering.ts';
import { type ReadPicture, readDrawing } from './read-picture.ts';
import type { FormatContext } from './run-format.ts';
import type { StyleSheet } from './style-sheet.ts';
import type { AnchoredPicture, Footnote, Inline, MarkInline, Paragraph, ParagraphFormat, RunFormat } from './tree.ts';
import { allowAttributes, childOf, hasSameElements, isForeignMarker, type XmlElement } from './xml-element.ts';

export interface ParagraphContext extends FormatContext {
  readonly styles: StyleSheet;
  readonly readPicture: ReadPicture;
  /** The address of a relationship outside of the file. */
  readonly linkOf: (id: string) => string | undefined;
  readonly numbering: Numbering;
  readonly lists: ListCounter;
  readonly data: CustomData;
  /** Whether the document divides words at the ends of lines. */
  readonly hyphenates: boolean;
  /** Undefined where notes are not known. */
  readonly footnotes?: Footnotes | undefined;
  /** Of the note that is read. */
  readonly noteNumber?: number | undefined;
  /** The table of contents; undefined where there is none. */
  readonly contents?: ContentsField | undefined;
  /** The version of Word whose layout the document asks for. */
  readonly compatibilityMode: number;
  /** What the style of the table around a paragraph sets for those that do not set it themselves. */
  readonly tableParagraph?: Partial<ParagraphFormat> | undefined;
  /** The same for runs. */
  readonly tableRun?: Partial<RunFormat> | undefined;
}

/** White space of XML, which a text keeps only when it says so (XML 1.0, 2.10); spaces that do not break are none. */
const outerSpace = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/** Elements that take no space, and whose content says nothing here. */
const markers: ReadonlySet<string> = new Set(
  'w:bookmarkStart w:bookmarkEnd w:proofErr w:permStart w:permEnd w:lastRenderedPageBreak'.split(' '),
);

/** Reads a `w:p` (ECMA-376 part 1, 17.3.1). Throws UnknownFeature for content that is not known. */
export function readParagraph(element: XmlElement, context: ParagraphContext): Paragraph {
  const properties = childOf(element, 'w:pPr');
  const style =
    (properties && childOf(properties, 'w:pStyle'))?.attributes.get('w:val') ?? context.styles.defaultParagraph;
  const base = context.styles.paragraphStyle(style);
  const inherited = withTable(base.paragraph, context.tableParagraph, base.ownParagraph);
  const own = readOwnFormat(properties, base.paragraph);
  if (own.numbering?.id === '0' && inherited.numbering.id !== '0')
    throw new UnknownFeature('a paragraph taken out of its list');
  // The indents of a list are weaker than those of the paragraph beside its reference to the list (17.9.22).
  const ofList = own.numbering && context.numbering.levelOf(own.numbering.id, own.numbering.level)?.paragraph;
  const format = overlay(overlay(inherited, ofList), own);
  // Which words depends on the dictionaries of LibreOffice.
  if (context.hyphenates && !format.keepsWords) throw new UnknownFeature('a paragraph that may be hyphenated');
  const inheritedRun = withTable(base.run, context.tableRun, base.ownRun);
  const mark = overlay(inheritedRun, context.styles.runFormat(properties && childOf(properties, 'w:rPr')));
  const reader = new InlineReader(inheritedRun, context);
  if (format.numbering.id !== '0') reader.label(format, mark);
  for (const child of element.children) if (child.name !== 'w:pPr') reader.read(child);
  const { inlines, anchored, notes } = reader.end();
  const keepsItself = own.keepsWithNext === true;
  const styleHalfPoints = base.run.halfPoints;
  return { kind: 'paragraph', style, format, inlines, anchored, notes, keepsItself, styleHalfPoints, mark };
}

interface OwnFormat {
  readonly inherited: InheritedFormat;
  readonly format: Partial<ParagraphFormat>;
}

const nothing: Partial<ParagraphFormat> = {};
/** By the properties: those with the same text are the same element. */
const ownFormats = new WeakMap<XmlElement, OwnFormat>();

function readOwnFormat(properties: XmlElement | undefined, inherited: InheritedFormat): Partial<ParagraphFormat> {
  if (properties === undefined) return nothing;
  const known = ownFormats.get(properties);
  if (known?.inherited === inherited) return known.format;
  const format = readParagraphFormat(properties, inherited);
  ownFormats.set(properties, { inherited, format });
  return format;
}

/** Properties that LibreOffice does not keep: runs that differ only in them are one portion. */
const withoutPortion: ReadonlySet<string> = new Set(['w:noProof', 'w:snapToGrid']);

/** A complex field (17.16.18): its code, then its result. */
interface OpenField {
  code: string;
  isResult: boolean;
}

class InlineReader {
  readonly #base: RunFormat;
  readonly #context: ParagraphContext;
  readonly #inlines: Inline[] = [];
  readonly #anchored: AnchoredPicture[] = [];
  readonly #notes: Footnote[] = [];
  /** Which inlines are their numbers. */
  readonly #noteNumbers = new Set<number>();
  #field: OpenField | undefined;
  #link: string | undefined;
  #hasMacro = false;
  /** The properties of the run before, and whether nothing is between it and what follows. */
  #before: { readonly properties: readonly XmlElement[]; isAdjacent: boolean } | undefined;
  #isInContents: boolean;

  constructor(base: RunFormat, context: ParagraphContext) {
    this.#base = base;
    this.#context = context;
    this.#isInContents = context.contents?.isOpen === true;
  }

  read(element: XmlElement): void {
    if (element.name === 'w:r') {
      this.#run(element);
      return;
    }
    if (element.name !== 'w:proofErr') this.#leave();
    if (element.name === 'w:fldSimple') this.#simpleField(element);
    else if (element.name === 'w:smartTag') for (const child of element.children) this.#inside(child);
    else if (element.name === 'w:hyperlink') this.#hyperlink(element);
    else if (element.name === 'w:sdt') for (const child of contentOf(element, this.#context.data)) this.read(child);
    else if (!markers.has(element.name) && !isForeignMarker(element)) throw new UnknownFeature(element.name);
  }

  /** Begins with the label of a list. */
  label({ numbering, alignment, left }: ParagraphFormat, mark: RunFormat): void {
    const label = this.#context.lists.next(numbering);
    if (label === undefined || label.text === '') return;
    const { suffix, tabPosition, run } = label.level;
    if (alignment === 'center' || alignment === 'right') throw new UnknownFeature('a list that is centred or right');
    if (suffix === 'tab' && (tabPosition ?? left) !== left) throw new UnknownFeature('a label before another tab stop');
    const format = { ...mark, ...run };
    if (alignment === 'both' && (suffix !== 'tab' || label.text.includes(' ')))
      throw new UnknownFeature('a justified list with spaces in labels');
    this.#text(suffix === 'space' ? `${label.text} ` : label.text, format);
    if (suffix === 'tab') this.#inlines.push({ kind: 'tab', format, isOfLabel: true });
    this.#before = undefined;
  }

  end(): Pick<Paragraph, 'inlines' | 'anchored' | 'notes'> {
    if (this.#field !== undefined) throw new UnknownFeature('a field over several paragraphs');
    // Beside other text LibreOffice gives a macro button formats and line breaks of its own.
    if (this.#hasMacro && this.#inlines.length > 1) throw new UnknownFeature('a macro button in text');
    requireBoundNumbers(this.#inlines, this.#noteNumbers);
    if (this.#isInContents) this.#context.contents?.add(this.#inlines);
    return { inlines: this.#inlines, anchored: this.#anchored, notes: this.#notes };
  }

  /** A link to an address (17.16.22). */
  #hyperlink(element: XmlElement): void {
    allowAttributes(element, 'r:id', 'w:history', 'w:tooltip', 'w:tgtFrame');
    this.#link = this.#context.linkOf(element.attributes.get('r:id') ?? '');
    if (this.#link === undefined) throw new UnknownFeature('a link without an address');
    for (const child of element.children) this.read(child);
    this.#link = undefined;
    this.#leave();
  }

  #inside(child: XmlElement): void {
    if (child.name !== 'w:smartTagPr') this.read(child);
  }

  #run(element: XmlElement): void {
    const properties = childOf(element, 'w:rPr');
    const format = overlay(this.#base, this.#context.styles.runFormat(properties));
    if (format.isHidden) {
      this.#leave();
      return;
    }
    const own = properties?.children.filter(({ name }) => !withoutPortion.has(name)) ?? [];
    for (const child of element.children) {
      if (child.name === 'w:footnoteReference' || child.name === 'w:footnoteRef')
        requireNoteStyle(properties, this.#context.styles);
      if (child.name !== 'w:rPr') this.#content(child, format, own);
    }
  }

  /** What follows is not directly behind the run before. */
  #leave(): void {
    if (this.#before !== undefined) this.#before.isAdjacent = false;
  }

  #content(child: XmlElement, format: RunFormat, properties: readonly XmlElement[]): void {
    const field = this.#field;
    if (child.name === 'w:fldChar') this.#fieldCharacter(child, format);
    else if (child.name === 'w:instrText' && field !== undefined) field.code += child.text;
    else if (field !== undefined) return;
    else if (child.name === 'w:t') {
      const isKept = child.attributes.get('xml:space') === 'preserve';
      this.#text(isKept ? child.text : child.text.replace(outerSpace, ''), format, properties);
    } else if (child.name === 'w:tab') this.#mark('tab', format);
    else if (child.name === 'w:br') this.#mark(readBreak(child), format);
    else if (child.name === 'w:cr') this.#mark('line-break', format);
    else if (child.name === 'w:drawing') this.#drawing(child, format);
    else if (child.name === 'w:footnoteReference') this.#footnote(child, format);
    else if (child.name === 'w:footnoteRef') this.#footnoteNumber(format);
    else if (!markers.has(child.name)) throw new UnknownFeature(child.name);
  }

  #mark(kind: MarkInline['kind'], format: RunFormat): void {
    this.#inlines.push({ kind, format, isOfLabel: false });
  }

  #footnote(reference: XmlElement, format: RunFormat): void {
    const note = this.#context.footnotes?.refer(reference);
    if (note === undefined) throw new UnknownFeature('a footnote outside of the text');
    this.#notes.push(note);
    this.#noteNumbers.add(this.#inlines.length);
    this.#apart(String(note.number), format);
  }

  /** The number of a note begins it. */
  #footnoteNumber(format: RunFormat): void {
    const { noteNumber } = this.#context;
    if (noteNumber === undefined || this.#inlines.length > 0)
      throw new UnknownFeature('the number of a footnote in text');
    this.#apart(String(noteNumber), format);
  }

  /** Adds text that is a portion of its own. */
  #apart(text: string, format: RunFormat): void {
    this.#before = undefined;
    this.#text(text, format);
    this.#before = undefined;
  }

  #drawing(drawing: XmlElement, format: RunFormat): void {
    const { place, ...picture } = readDrawing(drawing, this.#context.readPicture);
    if (place === undefined) this.#inlines.push({ kind: 'picture', format, ...picture });
    else this.#anchored.push({ ...place, ...picture });
  }

  /** Adds text; Writer joins runs with the same properties to one portion (`SwpHints::MergePortions`). */
  #text(text: string, format: RunFormat, properties: readonly XmlElement[] = []): void {
    if (text === '') return;
    const shown = format.isUpperCase ? text.toUpperCase() : text;
    const last = this.#inlines.at(-1);
    const isAlike = this.#before !== undefined && hasSameElements(this.#before.properties, properties);
    if (last?.kind === 'text' && isAlike && this.#before?.isAdjacent === true)
      this.#inlines.splice(-1, 1, { ...last, text: last.text + shown });
    else
      this.#inlines.push({
        kind: 'text',
        text: shown,
        format,
        link: this.#link,
        isApart: !isAlike || last?.kind !== 'text',
      });
    this.#before = { properties, isAdjacent: true };
  }

  #fieldCharacter(child: XmlElement, format: RunFormat): void {
    const type = child.attributes.get('w:fldCharType');
    if (type === 'begin') {
      if (this.#field !== undefined || child.children.length > 0) throw new UnknownFeature('a field in a field');
      this.#field = { code: '', isResult: false };
    } else if (this.#field === undefined) this.#endContents(type);
    else if (type === 'separate') this.#beginResult(this.#field);
    else {
      const { code, isResult } = this.#field;
      const label = isResult ? undefined : macroLabel(code);
      if (label === undefined) this.#inlines.push({ kind: kindOf(code), format });
      else {
        this.#hasMacro = true;
        this.#apart(label, format);
      }
      this.#field = undefined;
    }
  }

  #beginResult(field: OpenField): void {
    field.isResult = true;
    if (!/^\s*TOC\b/.test(field.code)) return;
    const { contents } = this.#context;
    if (contents === undefined || this.#inlines.length > 0) throw new UnknownFeature('a table of contents in text');
    contents.begin(field.code);
    this.#isInContents = true;
    this.#field = undefined;
  }

  /** The end of a table of contents stands alone in a paragraph below it. */
  #endContents(type: string | undefined): void {
    const { contents } = this.#context;
    if (type !== 'end' || contents?.isOpen !== true) throw new UnknownFeature('a field over several paragraphs');
    if (this.#inlines.length > 0) throw new UnknownFeature('text beside the end of a table of contents');
    contents.end();
  }

  #simpleField(element: XmlElement): void {
    const kind = kindOf(element.attributes.get('w:instr') ?? '');
    const run = childOf(element, 'w:r');
    const format = { ...this.#base, ...this.#context.styles.runFormat(run && childOf(run, 'w:rPr')) };
    this.#inlines.push({ kind, format });
  }
}

function readBreak(element: XmlElement): 'line-break' | 'page-break' {
  allowAttributes(element, 'w:type', 'w:clear');
  const type = element.attributes.get('w:type') ?? 'textWrapping';
  if (type === 'page') return 'page-break';
  if (type === 'textWrapping' && (element.attributes.get('w:clear') ?? 'none') === 'none') return 'line-break';
  throw new UnknownFeature(`w:br ${type}`);
}

/** What a MACROBUTTON shows (17.16.5.35): all behind the name of its macro. Long ones are left to LibreOffice, which breaks them as one word. */
function macroLabel(code: string): string | undefined {
  return /^ ?MACROBUTTON \w+ (\S{1,40})$/.exec(code)?.[1];
}

/** PAGE and NUMPAGES without switches but those of Word's own dialogs (17.16.5.43, 17.16.5.47). */
function kindOf(code: string): 'page' | 'pages' {
  const [, name] = /^\s*(PAGE|NUMPAGES)\s*(?:\\\*\s*(?:MERGEFORMAT|Arabic)\s*)*$/i.exec(code) ?? [];
  if (name === undefined) throw new UnknownFeature(`field ${code.trim().split(/\s/)[0] ?? ''}`);
  return name.toUpperCase() === 'PAGE' ? 'page' : 'pages';
}
