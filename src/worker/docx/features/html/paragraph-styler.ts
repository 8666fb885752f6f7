import { indentTwips, type Numbering } from '../../core/styles/numbering.ts';
import { type PropertyList, styleProperty, toggleProperty, valueProperty } from '../../core/styles/property-list.ts';
import type { TemplateStyles } from '../../core/styles/template-styles.ts';
import type { Alignment, Direction, ParagraphBlock } from './blocks.ts';
import { ListStyler } from './list-styler.ts';

export interface BlockStyle {
  readonly paragraph: PropertyList;
  readonly run: PropertyList;
}

interface StyledBlock extends BlockStyle {
  /** Whether its style is one for code, so that its runs need no font of their own. */
  readonly isCode?: boolean;
}

// Scales used by browsers (WHATWG HTML, 15.3.7).
const headingScales = [2, 1.5, 1.17, 1, 1, 1];
// The only direct formatting of the tag that a paragraph in a template style keeps.
const paragraphBasics = ['pageBreakBefore', 'bidi', 'framePr'] as const;
const runBasics = ['rtl', 'lang', 'noProof'] as const;

/** Styles the paragraphs of HTML with template styles if they exist, otherwise with the formatting of the tag. */
export class ParagraphStyler {
  readonly #styles: TemplateStyles;
  readonly #lists: ListStyler;

  constructor(styles: TemplateStyles, numbering: () => Numbering) {
    this.#styles = styles;
    this.#lists = new ListStyler(styles, numbering);
  }

  of(block: ParagraphBlock, tag: BlockStyle): StyledBlock {
    const { paragraph, ...others } = this.#withRole(block, tag);
    const { align, direction } = block;
    const directed = direction === undefined ? paragraph : withDirection(paragraph, direction);
    if (align === undefined) return { ...others, paragraph: directed };
    const jc = valueProperty('jc', alignment(align, isRightToLeft(directed)));
    return { ...others, paragraph: directed.with({ jc }) };
  }

  #withRole(block: ParagraphBlock, tag: BlockStyle): StyledBlock {
    if (block.list !== undefined)
      return { ...tag, paragraph: this.#lists.of(block.list, block.quoteDepth, tag.paragraph) };
    if (block.role === 'heading') return this.#heading(block.headingLevel, tag);
    if (block.role === 'quote') return this.#quote(block.quoteDepth, tag);
    if (block.role === 'code') return this.#code(tag);
    if (block.role === 'rule') return { ...tag, paragraph: tag.paragraph.with({ numPr: undefined, pBdr: ruleBorder }) };
    return tag;
  }

  #heading(level: number, tag: BlockStyle): BlockStyle {
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

  #code(tag: BlockStyle): StyledBlock {
    const style = this.#styles.find('paragraph', 'html preformatted');
    return style === undefined ? tag : { ...styled(style.id, tag), isCode: true };
  }

  #quote(depth: number, tag: BlockStyle): BlockStyle {
    const style = this.#styles.find('paragraph', 'quote');
    if (style !== undefined && depth === 1) return styled(style.id, tag);
    const around = Number(/w:(?:left|start)="(\d{1,5})"/.exec(tag.paragraph.get('ind') ?? '')?.[1] ?? 0);
    const ind = `<w:ind w:left="${around + indentTwips * depth}"/>`;
    return { ...tag, paragraph: tag.paragraph.with({ numPr: undefined, ind }) };
  }

  /** Whether a paragraph has a bullet or a number, of its own or by its style. */
  isListed(paragraph: PropertyList): boolean {
    const style = /w:val="([^"]*)"/.exec(paragraph.get('pStyle') ?? '')?.[1];
    return paragraph.get('numPr') !== undefined || (style !== undefined && this.#styles.isNumbered(style));
  }

  /** The font size of the tag. */
  baseHalfPoints(run: PropertyList): number {
    return Number(/w:val="(\d{1,4})"/.exec(run.get('sz') ?? '')?.[1] ?? this.#styles.baseHalfPoints);
  }
}

function isRightToLeft(paragraph: PropertyList): boolean {
  const bidi = paragraph.get('bidi');
  return bidi !== undefined && !/w:val="(?:0|false|off)"/.test(bidi);
}

function withDirection(paragraph: PropertyList, direction: Direction): PropertyList {
  if (direction === 'rtl') return paragraph.with({ bidi: toggleProperty('bidi', true) });
  return isRightToLeft(paragraph) ? paragraph.with({ bidi: toggleProperty('bidi', false) }) : paragraph;
}

/** The value of `w:jc`. In a right-to-left paragraph, Word interprets `left` as the start, which is on the right. */
function alignment(align: Alignment, isRtl: boolean): string {
  if (align === 'start' || align === 'end') return align === 'start' ? 'left' : 'right';
  if (!isRtl || (align !== 'left' && align !== 'right')) return align;
  return align === 'left' ? 'right' : 'left';
}

const ruleBorder = '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>';

function styled(id: string, { paragraph, run }: BlockStyle): BlockStyle {
  return {
    paragraph: paragraph.only(...paragraphBasics).with({ pStyle: styleProperty(id) }),
    run: run.only(...runBasics),
  };
}
