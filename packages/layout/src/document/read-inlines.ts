import { UnknownFeature } from '../unknown-feature.ts';
import { nothing } from './attempt.ts';
import { type HiddenText, requireEvenHeight } from './hidden-text.ts';
import { overlay } from './overlay-formats.ts';
import type { ParagraphContext } from './paragraph-context.ts';
import { shownBy } from './read-control.ts';
import { FieldReader, type FieldResult, numberKind } from './read-fields.ts';
import { requireBoundNumbers, requireNoteStyle } from './read-footnotes.ts';
import { readDrawing } from './read-picture.ts';
import { requireKnownLink } from './require-known-link.ts';
import {
  type AnchoredPicture,
  type Footnote,
  type Inline,
  type LinkTarget,
  type MarkInline,
  type NoteEnd,
  noBreakSpace,
  type OutlineEntry,
  type Paragraph,
  type ParagraphFormat,
  type RunFormat,
} from './tree.ts';
import { allowAttributes, childOf, hasSameElements, isForeignMarker, type XmlElement } from './xml-element.ts';

/** XML white space, which text keeps only if it says so (XML 1.0, 2.10). No-break spaces are not white space. */
const outerSpace = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/** Elements that take no space and whose content is irrelevant here. */
const markers: ReadonlySet<string> = new Set(
  'w:bookmarkStart w:bookmarkEnd w:proofErr w:permStart w:permEnd w:lastRenderedPageBreak'.split(' '),
);
/** Properties that LibreOffice drops: runs that differ only in them form one portion. */
const withoutPortion: ReadonlySet<string> = new Set(['w:noProof', 'w:snapToGrid']);

/** Whether a property begins a new portion. A `w:rFonts` that has only a hint names no font, so it does not. */
function formsPortion({ name, attributes }: XmlElement): boolean {
  if (name === 'w:rFonts') return [...attributes.keys()].some((attribute) => attribute !== 'w:hint');
  return !withoutPortion.has(name);
}

/** Reads the children of a `w:p` in sequence into inlines. Each call throws UnknownFeature for unsupported content. */
export class InlineReader {
  readonly #base: RunFormat;
  readonly #context: ParagraphContext;
  readonly #inlines: Inline[] = [];
  readonly #anchored: AnchoredPicture[] = [];
  readonly #notes: Footnote[] = [];
  /** The indices of inlines that are note numbers. */
  readonly #noteNumbers = new Set<number>();
  readonly #fields: FieldReader;
  #link: LinkTarget | undefined;
  #numberFormat: string | undefined;
  /** The number of inlines that form the label of a list. */
  #ofLabel = 0;
  readonly #hidden: HiddenText[] = [];
  /** The text as shown in an outline. */
  #title = '';
  #hasMacro = false;
  /** The properties of the previous run, and whether the following content is adjacent to it. */
  #before: { readonly properties: readonly XmlElement[]; isAdjacent: boolean } | undefined;

  constructor(base: RunFormat, context: ParagraphContext) {
    this.#base = base;
    this.#context = context;
    this.#fields = new FieldReader(context.contents);
  }

  read(element: XmlElement): void {
    if (element.name === 'w:r') {
      this.#run(element);
      return;
    }
    if (element.name !== 'w:proofErr') this.#leave();
    this.#context.attempt(() => this.#other(element), nothing);
  }

  #other(element: XmlElement): void {
    if (element.name === 'w:fldSimple') this.#simpleField(element);
    else if (element.name === 'w:smartTag') for (const child of element.children) this.#inside(child);
    else if (element.name === 'w:hyperlink') this.#hyperlink(element);
    else if (element.name === 'w:sdt') for (const child of shownBy(element, this.#context)) this.read(child);
    else if (!markers.has(element.name) && !isForeignMarker(element)) throw new UnknownFeature(element.name);
  }

  /** Adds the label of a list at the beginning. */
  label({ numbering, alignment, left, firstLine }: ParagraphFormat, mark: RunFormat): void {
    const label = this.#context.lists.next(numbering);
    if (label === undefined || label.text === '') return;
    const { suffix, tabPosition, run, numberFormat } = label.level;
    if (alignment === 'center' || alignment === 'right') throw new UnknownFeature('a list that is centred or right');
    if (suffix === 'tab' && (tabPosition ?? left) !== left) throw new UnknownFeature('a label before another tab stop');
    // If a label begins left of the margin, LibreOffice's tab may also end at the margin.
    if (suffix === 'tab' && left > 0 && left + firstLine < 0) throw new UnknownFeature('a label left of the margin');
    const format = { ...mark, ...run };
    if (numberFormat !== 'bullet') this.#title += `${label.text} `;
    if (alignment === 'both' && (suffix !== 'tab' || label.text.includes(' ')))
      throw new UnknownFeature('a justified list with spaces in labels');
    requireBreakable(label.text);
    this.#portion(suffix === 'space' ? `${label.text} ` : label.text, format);
    if (suffix === 'tab') this.#inlines.push({ kind: 'tab', format, isOfLabel: true });
    this.#ofLabel = this.#inlines.length;
    this.#numberFormat = numberFormat;
    this.#before = undefined;
  }

  end(): Pick<Paragraph, 'inlines' | 'anchored' | 'notes' | 'numberFormat'> {
    // LibreOffice gives a macro button next to other text its own formats and line breaks.
    if (this.#hasMacro && this.#inlines.length > 1) throw new UnknownFeature('a macro button in text');
    requireEvenHeight(this.#inlines, this.#hidden);
    requireBoundNumbers(this.#inlines, this.#noteNumbers);
    this.#fields.end(this.#inlines);
    return { inlines: this.#inlines, anchored: this.#anchored, notes: this.#notes, numberFormat: this.#numberFormat };
  }

  /**
   * The paragraph's outline entry as LibreOffice writes it: with its list number, without formats, and with repeated
   * spaces collapsed, except for no-break spaces. Undefined for no text. Throws UnknownFeature.
   */
  outline({ outlineLevel: level, alignment, left, firstLine }: ParagraphFormat): OutlineEntry | undefined {
    if (level === undefined) return undefined;
    if (this.#inlines.length === this.#ofLabel) return undefined;
    if (this.#inlines.some(({ kind }) => kind === 'picture')) throw new UnknownFeature('a picture in a heading');
    const title = this.#title.replaceAll(outerSpace, '').replaceAll(/[ \t\r\n]+/g, ' ');
    if (title === '') throw new UnknownFeature('a heading of spaces');
    const hasLabel = this.#ofLabel > 0;
    const hasTab = this.#inlines[this.#ofLabel]?.kind === 'tab';
    if (this.#hidden[0]?.index === this.#ofLabel) throw new UnknownFeature('a heading that begins with hidden text');
    if (hasTab && (hasLabel || alignment === 'center' || alignment === 'right'))
      throw new UnknownFeature('a heading that begins with a tab');
    return { title, level, hasLabel, tabLeft: hasTab ? left + firstLine : undefined };
  }

  /** A link to an address (17.16.22). */
  #hyperlink(element: XmlElement): void {
    allowAttributes(element, 'r:id', 'w:history', 'w:tooltip', 'w:tgtFrame');
    const address = this.#context.linkOf(element.attributes.get('r:id') ?? '');
    if (address === undefined) throw new UnknownFeature('a link without an address');
    this.#link = { address, tip: element.attributes.get('w:tooltip') };
    const start = this.#inlines.length;
    for (const child of element.children) this.read(child);
    this.#link = undefined;
    requireKnownLink(this.#inlines.slice(start));
    this.#leave();
  }

  #inside(child: XmlElement): void {
    if (child.name !== 'w:smartTagPr') this.read(child);
  }

  #run(element: XmlElement): void {
    const properties = childOf(element, 'w:rPr');
    const format = overlay(this.#base, this.#context.styles.runFormat(properties));
    if (format.isHidden) {
      // LibreOffice shows hidden text in outlines, and the entry leads to it if it precedes other text.
      this.#hidden.push({ index: this.#inlines.length, format });
      for (const child of element.children) if (child.name === 'w:t') this.#title += readText(child);
      this.#leave();
      return;
    }
    const own = properties?.children.filter(formsPortion) ?? [];
    for (const child of element.children) {
      if (child.name === 'w:footnoteReference' || child.name === 'w:footnoteRef')
        this.#context.attempt(() => requireNoteStyle(properties, this.#context.styles), nothing);
      if (child.name !== 'w:rPr') this.#context.attempt(() => this.#content(child, format, own), nothing);
    }
  }

  /** Records that something separates the previous run from the content that follows. */
  #leave(): void {
    if (this.#before !== undefined) this.#before.isAdjacent = false;
  }

  #content(child: XmlElement, format: RunFormat, properties: readonly XmlElement[]): void {
    if (child.name === 'w:fldChar') this.#endField(this.#fields.character(child, this.#inlines.length), format);
    else if (child.name === 'w:instrText' && this.#fields.isOpen) this.#fields.addCode(child.text);
    else if (this.#fields.isOpen) return;
    else if (child.name === 'w:t') {
      const text = readText(child);
      this.#title += text;
      this.#text(text, format, properties);
    } else if (child.name === 'w:tab') this.#mark('tab', format);
    else if (child.name === 'w:br') this.#mark(readBreak(child), format);
    else if (child.name === 'w:cr') this.#mark('line-break', format);
    else if (child.name === 'w:drawing') this.#drawing(child, format);
    else if (child.name === 'w:footnoteReference') this.#footnote(child, format);
    else if (child.name === 'w:footnoteRef') this.#footnoteNumber(format);
    else if (!markers.has(child.name)) throw new UnknownFeature(child.name);
  }

  #mark(kind: MarkInline['kind'], format: RunFormat): void {
    this.#title += ' ';
    this.#inlines.push({ kind, format, isOfLabel: false });
  }

  #footnote(reference: XmlElement, format: RunFormat): void {
    const note = this.#context.footnotes?.refer(reference);
    if (note === undefined) throw new UnknownFeature('a footnote outside of the text');
    this.#notes.push(note);
    this.#noteNumbers.add(this.#inlines.length);
    this.#number({ note: note.number, of: 'note' }, format);
  }

  /** A note begins with its number. */
  #footnoteNumber(format: RunFormat): void {
    const { noteNumber } = this.#context;
    if (noteNumber === undefined || this.#inlines.length > 0)
      throw new UnknownFeature('the number of a footnote in text');
    this.#number({ note: noteNumber, of: 'reference' }, format);
  }

  /** The number of a note, linked to its other end. */
  #number(target: NoteEnd, format: RunFormat): void {
    if (this.#link !== undefined) throw new UnknownFeature('a footnote in a link');
    this.#link = target;
    this.#apart(String(target.note), format);
    this.#link = undefined;
  }

  /** Adds text as a portion of its own. */
  #apart(text: string, format: RunFormat): void {
    this.#before = undefined;
    this.#portion(text, format);
    this.#before = undefined;
  }

  #drawing(drawing: XmlElement, format: RunFormat): void {
    const { anchor, spaceLeft, spaceRight, ...picture } = readDrawing(
      drawing,
      this.#context.readPicture,
      this.#context.hasOutline,
    );
    if (anchor === undefined) this.#inlines.push({ kind: 'picture', format, spaceLeft, spaceRight, ...picture });
    else this.#anchored.push({ ...picture, anchor, isAtStart: this.#inlines.length === this.#ofLabel });
  }

  /** Adds text, with each no-break space as a portion of its own (Writer, `SwBlankPortion`). */
  #text(text: string, format: RunFormat, properties: readonly XmlElement[]): void {
    for (const [index, part] of text.split(noBreakSpace).entries()) {
      if (index > 0) this.#apart(noBreakSpace, format);
      this.#portion(part, format, properties);
    }
  }

  /** Adds text. Writer joins runs with the same properties into one portion (`SwpHints::MergePortions`). */
  #portion(text: string, format: RunFormat, properties: readonly XmlElement[] = []): void {
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

  #endField(result: FieldResult | undefined, format: RunFormat): void {
    if (result === undefined) return;
    if ('kind' in result) this.#inlines.push({ kind: result.kind, format });
    else {
      this.#hasMacro = true;
      if (this.#link !== undefined) throw new UnknownFeature('a macro button in a link');
      requireBreakable(result.label);
      this.#apart(result.label, format);
    }
  }

  #simpleField(element: XmlElement): void {
    const kind = numberKind(element.attributes.get('w:instr') ?? '');
    const run = childOf(element, 'w:r');
    const format = { ...this.#base, ...this.#context.styles.runFormat(run && childOf(run, 'w:rPr')) };
    this.#inlines.push({ kind, format });
  }
}

/** Writer handles no-break spaces as separate portions only in text, not in labels. */
function requireBreakable(label: string): void {
  if (label.includes(noBreakSpace)) throw new UnknownFeature('a no-break space in a label');
}

function readText(element: XmlElement): string {
  return element.attributes.get('xml:space') === 'preserve' ? element.text : element.text.replace(outerSpace, '');
}

function readBreak(element: XmlElement): 'line-break' | 'page-break' {
  allowAttributes(element, 'w:type', 'w:clear');
  const type = element.attributes.get('w:type') ?? 'textWrapping';
  if (type === 'page') return 'page-break';
  if (type === 'textWrapping' && (element.attributes.get('w:clear') ?? 'none') === 'none') return 'line-break';
  throw new UnknownFeature(`w:br ${type}`);
}
