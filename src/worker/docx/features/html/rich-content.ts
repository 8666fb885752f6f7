import { LinkStyle } from '../../core/styles/link-style.ts';
import { PropertyList } from '../../core/styles/property-list.ts';
import { TemplateStyles } from '../../core/styles/template-styles.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import type { Block } from './blocks.ts';
import { collectBlocks } from './collect-blocks.ts';
import { flattenBlocks } from './flatten-blocks.ts';
import { htmlLimits } from './html-limits.ts';
import { HtmlProblem } from './html-problem.ts';
import { Numbering, newNumberingPart } from './numbering.ts';
import { type Look, ParagraphLooks } from './paragraph-look.ts';
import { parseHtml } from './parse-html.ts';
import { linkRun } from './run-properties.ts';
import { writeBlocks } from './write-blocks.ts';
import { type LinkWriter, linkEnd, writeRuns } from './write-runs.ts';

/** What a render adds to the package for links and lists. */
export interface RichAdditions {
  readonly isStrict: boolean;
  addHyperlink(partName: string, url: string): string;
  addPart(
    partName: string,
    part: { readonly name: string; readonly contentType: string; readonly kind: string; readonly bytes: Uint8Array },
  ): unknown;
}

/** Where HTML or a link is written. */
export interface RichPlace {
  readonly partName: string;
  /** The `w:rPr` of the tag, empty without one. */
  readonly runProperties: string;
  readonly mayLink: boolean;
}

export interface WrittenBlocks {
  readonly pieces: readonly string[];
  readonly startsWithTable: boolean;
  readonly endsWithTable: boolean;
}

const transitionalLinks = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const strictLinks = 'http://purl.oclc.org/ooxml/officeDocument/relationships';

/** Writes HTML and links for one render; reads the template's styles and numbering when they are first needed. */
export class RichContent {
  readonly #source: DocxPackage;
  readonly #additions: RichAdditions;
  #chars = 0;
  #styles: TemplateStyles | undefined;
  #numbering: Numbering | undefined;
  #looks: ParagraphLooks | undefined;
  #isStrict: boolean | undefined;
  #linkStyle: LinkStyle | undefined;

  constructor(source: DocxPackage, additions: RichAdditions) {
    this.#source = source;
    this.#additions = additions;
  }

  /** HTML as paragraphs and tables, which look like the paragraph they replace. Throws HtmlProblem. */
  blocks(html: string, place: RichPlace, paragraphProperties: string, charge: (xml: string) => void): WrittenBlocks {
    const tag: Look = {
      paragraph: PropertyList.parse('w:pPr', paragraphProperties),
      run: PropertyList.parse('w:rPr', place.runProperties),
    };
    const blocks = this.#read(html, tag.run);
    const pieces: string[] = [];
    writeBlocks(blocks, {
      looks: this.#paragraphLooks(),
      links: this.#links(place),
      tableStyleId: this.#templateStyles().find('table', 'table grid')?.id,
      tag,
      push: (xml) => {
        charge(xml);
        pieces.push(xml);
      },
    });
    const startsWithTable = blocks[0]?.kind === 'table';
    return { pieces, startsWithTable, endsWithTable: blocks.at(-1)?.kind === 'table' };
  }

  /** HTML as runs within a paragraph, a line for each of its paragraphs. Throws HtmlProblem. */
  runs(html: string, place: RichPlace): string {
    const run = PropertyList.parse('w:rPr', place.runProperties);
    return writeRuns(flattenBlocks(this.#read(html, run)), run, this.#links(place));
  }

  /** The text of HTML, a line for each paragraph. Throws HtmlProblem. */
  text(html: string): string {
    const inlines = flattenBlocks(this.#read(html, PropertyList.parse('w:rPr', '')));
    return inlines.map((inline) => (inline.kind === 'break' ? '\n' : inline.text)).join('');
  }

  /** A text that leads to a judged address, as runs of its own; undefined where no link can stand. */
  linkedText(xml: string, url: string, place: RichPlace): string | undefined {
    const links = this.#links(place);
    const open = links.open(url);
    if (open === undefined) return undefined;
    const run = linkRun(PropertyList.parse('w:rPr', place.runProperties), links.styleId());
    return `${open}<w:r>${run.toXml()}<w:t xml:space="preserve">${xml}</w:t></w:r>${linkEnd}`;
  }

  /** The parts that change for lists and links; adds the numbering to a document that has none. */
  changedParts(): ReadonlyMap<string, Buffer> {
    const changed = new Map(this.#linkStyle?.changed() ?? []);
    const part = this.#numbering?.changed();
    if (part === undefined) return changed;
    const bytes = Buffer.from(part.xml);
    if (part.name !== undefined) return changed.set(part.name, bytes);
    this.#additions.addPart(this.#source.mainPart, { ...newNumberingPart, bytes });
    return changed;
  }

  #read(html: string, run: PropertyList): readonly Block[] {
    if (html === '') return [];
    this.#chars += html.length;
    if (this.#chars > htmlLimits.renderChars)
      throw new HtmlProblem(`is more than the ${htmlLimits.renderChars} characters of HTML one document may have`);
    return collectBlocks(parseHtml(html), this.#paragraphLooks().baseHalfPoints(run));
  }

  #links({ partName, mayLink }: RichPlace): LinkWriter {
    const open = (url: string) => {
      if (!mayLink) return undefined;
      const id = this.#additions.addHyperlink(partName, url);
      this.#isStrict ??= this.#additions.isStrict;
      return `<w:hyperlink xmlns:r="${this.#isStrict ? strictLinks : transitionalLinks}" r:id="${id}" w:history="1">`;
    };
    return { open, styleId: () => this.#linkStyleOf().id() };
  }

  #linkStyleOf(): LinkStyle {
    this.#linkStyle ??= new LinkStyle(this.#source, this.#templateStyles());
    return this.#linkStyle;
  }

  #templateStyles(): TemplateStyles {
    this.#styles ??= new TemplateStyles(this.#source);
    return this.#styles;
  }

  #paragraphLooks(): ParagraphLooks {
    const isStrict = () => this.#additions.isStrict;
    this.#looks ??= new ParagraphLooks(this.#templateStyles(), () => {
      this.#numbering ??= new Numbering(this.#source, isStrict());
      return this.#numbering;
    });
    return this.#looks;
  }
}
