import type { ListPlace, ParagraphBlock } from './blocks.ts';
import { hangingTwips, indentTwips, type Numbering } from './numbering.ts';
import type { PropertyList } from './property-list.ts';
import type { NumberedStyle, TemplateStyles } from './template-styles.ts';

export interface Look {
  readonly paragraph: PropertyList;
  readonly run: PropertyList;
}

// As browsers scale them (WHATWG HTML, 15.3.7).
const headingScales = [2, 1.5, 1.17, 1, 1, 1];
// Of the tag's look only this goes into a paragraph whose look is a style of the template.
const paragraphBasics = ['pageBreakBefore', 'bidi', 'framePr'] as const;
const runBasics = ['rtl', 'lang', 'noProof'] as const;

/** How the paragraphs of HTML look: in the template's styles where it has them, else as the tag with what HTML adds. */
export class ParagraphLooks {
  readonly #styles: TemplateStyles;
  readonly #numbering: () => Numbering;
  readonly #numIds = new Map<object, number>();

  constructor(styles: TemplateStyles, numbering: () => Numbering) {
    this.#styles = styles;
    this.#numbering = numbering;
  }

  of(block: ParagraphBlock, tag: Look): Look {
    const look = this.#withRole(block, tag);
    const { align } = block;
    return align === undefined ? look : { ...look, paragraph: look.paragraph.with({ jc: `<w:jc w:val="${align}"/>` }) };
  }

  #withRole(block: ParagraphBlock, tag: Look): Look {
    if (block.list !== undefined)
      return { ...tag, paragraph: this.#listItem(block.list, block.quoteDepth, tag.paragraph) };
    if (block.role === 'heading') return this.#heading(block.headingLevel, tag);
    if (block.role === 'quote') return this.#quote(block.quoteDepth, tag);
    if (block.role === 'rule') return { ...tag, paragraph: tag.paragraph.with({ numPr: undefined, pBdr: ruleBorder }) };
    return tag;
  }

  #heading(level: number, tag: Look): Look {
    const style = this.#styles.heading(level);
    if (style !== undefined) return styled(style, tag);
    const size = Math.round(this.baseHalfPoints(tag.run) * (headingScales[level - 1] ?? 1));
    return {
      paragraph: tag.paragraph.with({
        numPr: undefined,
        keepNext: '<w:keepNext/>',
        spacing: '<w:spacing w:before="240" w:after="80"/>',
        outlineLvl: `<w:outlineLvl w:val="${level - 1}"/>`,
      }),
      run: tag.run.with({
        b: '<w:b/>',
        bCs: '<w:bCs/>',
        sz: `<w:sz w:val="${size}"/>`,
        szCs: `<w:szCs w:val="${size}"/>`,
      }),
    };
  }

  #quote(depth: number, tag: Look): Look {
    const style = this.#styles.find('paragraph', 'quote');
    if (style !== undefined && depth === 1) return styled(style.id, tag);
    const around = Number(/w:(?:left|start)="(\d{1,5})"/.exec(tag.paragraph.get('ind') ?? '')?.[1] ?? 0);
    const ind = `<w:ind w:left="${around + indentTwips * depth}"/>`;
    return { ...tag, paragraph: tag.paragraph.with({ numPr: undefined, ind }) };
  }

  #listItem(place: ListPlace, quoteDepth: number, tag: PropertyList): PropertyList {
    const { list, level, isNumbered } = place;
    const left = indentTwips * (level + 1 + quoteDepth);
    if (!isNumbered) return this.#plainItem(tag).with({ numPr: noNumber, ind: `<w:ind w:left="${left}"/>` });
    const style = this.#listStyle(place);
    const isBullet = list.format === 'bullet';
    if (style?.numId !== undefined) {
      const own = isBullet
        ? undefined
        : this.#numIdOf(list, () => this.#numbering().addListLike(style.numId ?? '', style.level, list.start));
      const numPr = own === undefined ? undefined : numberOf(own, style.level);
      return tag.with({ pStyle: styleElement(style.id), numPr, ind: undefined });
    }
    const numId = this.#numIdOf(list, () => this.#numbering().addList(list.format, level, list.start)) ?? 0;
    const ind = quoteDepth === 0 ? undefined : `<w:ind w:left="${left}" w:hanging="${hangingTwips}"/>`;
    return this.#plainItem(tag).with({ numPr: numberOf(numId, level), ind });
  }

  /** A list style of the template that brings its own numbering. */
  #listStyle({ list, level }: ListPlace): NumberedStyle | undefined {
    if (list.format !== 'bullet' && list.format !== 'decimal') return undefined;
    const name = list.format === 'bullet' ? 'list bullet' : 'list number';
    const style = this.#styles.find('paragraph', level === 0 ? name : `${name} ${level + 1}`);
    return style?.numId === undefined ? undefined : style;
  }

  /** A paragraph in the default style becomes a "List Paragraph" where there is such a style; any other keeps its own. */
  #plainItem(tag: PropertyList): PropertyList {
    const own = /w:val="([^"]*)"/.exec(tag.get('pStyle') ?? '')?.[1];
    const style = this.#styles.find('paragraph', 'list paragraph');
    if (style === undefined || (own !== undefined && own !== this.#styles.defaultParagraphId)) return tag;
    return tag.with({ pStyle: styleElement(style.id) });
  }

  #numIdOf(list: object, make: () => number | undefined): number | undefined {
    const known = this.#numIds.get(list);
    if (known !== undefined) return known;
    const made = make();
    if (made !== undefined) this.#numIds.set(list, made);
    return made;
  }

  /** The size of the tag's text. */
  baseHalfPoints(run: PropertyList): number {
    return Number(/w:val="(\d{1,4})"/.exec(run.get('sz') ?? '')?.[1] ?? this.#styles.baseHalfPoints);
  }
}

const noNumber = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>';
const ruleBorder = '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>';

function numberOf(numId: number, level: number): string {
  return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`;
}

function styleElement(id: string): string {
  return `<w:pStyle w:val="${id.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"/>`;
}

function styled(id: string, { paragraph, run }: Look): Look {
  return {
    paragraph: paragraph.only(...paragraphBasics).with({ pStyle: styleElement(id) }),
    run: run.only(...runBasics),
  };
}
