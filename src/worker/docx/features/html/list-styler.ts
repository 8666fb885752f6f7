import { hangingTwips, indentTwips, type Numbering } from '../../core/styles/numbering.ts';
import { numberProperty, type PropertyList, styleProperty } from '../../core/styles/property-list.ts';
import type { NumberedStyle, TemplateStyles } from '../../core/styles/template-styles.ts';
import type { ListPlace } from './blocks.ts';

/** A list style of the template, and the matching level of its numbering. */
interface TemplateList {
  readonly style: NumberedStyle;
  readonly numId: string;
  readonly level: number;
  readonly leftTwips: number;
}

/** Styles list items with the template's list styles if these have a numbering, otherwise with a default format. */
export class ListStyler {
  readonly #styles: TemplateStyles;
  readonly #numbering: () => Numbering;
  readonly #numIds = new Map<object, number>();

  constructor(styles: TemplateStyles, numbering: () => Numbering) {
    this.#styles = styles;
    this.#numbering = numbering;
  }

  of(place: ListPlace, quoteDepth: number, tag: PropertyList): PropertyList {
    const known = this.#templateList(place);
    if (!place.isNumbered) return this.#continued(place, known, quoteDepth, tag);
    return known === undefined ? this.#ownItem(place, quoteDepth, tag) : this.#styledItem(place, known, tag);
  }

  #ownItem({ list, level }: ListPlace, quoteDepth: number, tag: PropertyList): PropertyList {
    const numId = this.#numIdOf(list, () => this.#numbering().addList(list.format, level, list.start));
    const left = indentTwips * (level + 1 + quoteDepth);
    const ind = quoteDepth === 0 ? undefined : `<w:ind w:left="${left}" w:hanging="${hangingTwips}"/>`;
    return this.#plainItem(tag).with({ numPr: numberProperty(numId, level), ind });
  }

  #styledItem({ list }: ListPlace, { style, numId, level }: TemplateList, tag: PropertyList): PropertyList {
    const add = () => this.#numbering().addListLike(numId, level, list.start);
    const number = list.format === 'bullet' ? Number(numId) : this.#numIdOf(list, add);
    const isOfStyle = list.format === 'bullet' && level === style.level;
    const numPr = isOfStyle ? undefined : numberProperty(number, level);
    return tag.with({ pStyle: styleProperty(style.id), numPr, ind: undefined });
  }

  /** A later paragraph of an item: without number, aligned with the text of the first. */
  #continued(place: ListPlace, known: TemplateList | undefined, quoteDepth: number, tag: PropertyList): PropertyList {
    const own = known === undefined ? this.#plainItem(tag) : tag.with({ pStyle: styleProperty(known.style.id) });
    const left = known?.leftTwips ?? indentTwips * (place.level + 1 + quoteDepth);
    return own.with({ numPr: numberProperty(0, 0), ind: `<w:ind w:left="${left}" w:firstLine="0"/>` });
  }

  /** "List Bullet 2" for the second level, or the second level of "List Bullet". */
  #templateList({ list, level }: ListPlace): TemplateList | undefined {
    if (list.format !== 'bullet' && list.format !== 'decimal') return undefined;
    const name = list.format === 'bullet' ? 'list bullet' : 'list number';
    const exact = level === 0 ? undefined : this.#styles.find('paragraph', `${name} ${level + 1}`);
    if (exact?.numId !== undefined) return this.#levelOf(exact, exact.numId, exact.level);
    const first = this.#styles.find('paragraph', name);
    return first?.numId === undefined ? undefined : this.#levelOf(first, first.numId, first.level + level);
  }

  #levelOf(style: NumberedStyle, numId: string, level: number): TemplateList | undefined {
    const found = this.#numbering().level(numId, level);
    if (found === undefined) return undefined;
    const ofStyle = level === style.level ? style.leftTwips : undefined;
    return { style, numId, level, leftTwips: ofStyle ?? found.leftTwips ?? indentTwips * (level + 1) };
  }

  /** A paragraph in the default style becomes a "List Paragraph" if the template has that style. */
  #plainItem(tag: PropertyList): PropertyList {
    const own = /w:val="([^"]*)"/.exec(tag.get('pStyle') ?? '')?.[1];
    const style = this.#styles.find('paragraph', 'list paragraph');
    if (style === undefined || (own !== undefined && own !== this.#styles.defaultParagraphId)) return tag;
    return tag.with({ pStyle: styleProperty(style.id) });
  }

  #numIdOf(list: object, make: () => number): number {
    const numId = this.#numIds.get(list) ?? make();
    this.#numIds.set(list, numId);
    return numId;
  }
}
