import { attributeOf, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../../package/open-package.ts';

const stylesType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml';

/** The name of the part that holds the styles. */
export function stylesPartOf(source: DocxPackage): string | undefined {
  return source.partNames.find((part) => source.contentType(part) === stylesType);
}

/** The styles part with `style` added; empty for a template without styles. */
export function withStyle(source: DocxPackage, style: string): ReadonlyMap<string, Buffer> {
  const name = stylesPartOf(source);
  const xml = name === undefined ? '' : (source.readText(name) ?? '');
  const end = xml.lastIndexOf('</w:styles>');
  if (name === undefined || end === -1) return new Map();
  return new Map([[name, Buffer.from(`${xml.slice(0, end)}${style}${xml.slice(end)}`)]]);
}

export interface NumberedStyle {
  readonly id: string;
  /** The numbering of the style, as an id of the numbering part. */
  readonly numId: string | undefined;
  readonly level: number;
  /** The indent of the style itself. */
  readonly leftTwips: number | undefined;
}

interface MutableStyle {
  readonly id: string;
  numId: string | undefined;
  level: number;
  leftTwips: number | undefined;
}

/**
 * The styles of a template by their built-in names, which are the same in every language (ECMA-376 part 1, 17.7.4.9), and
 * the default text size.
 */
export class TemplateStyles {
  readonly defaultParagraphId: string | undefined;
  readonly baseHalfPoints: number;
  readonly #byName = new Map<string, NumberedStyle>();
  readonly #ids = new Set<string>();

  constructor(source: DocxPackage) {
    const name = stylesPartOf(source);
    const xml = name === undefined ? '' : (source.readText(name) ?? '');
    let style: MutableStyle | undefined;
    let type = '';
    let defaultId: string | undefined;
    let isInDefaults = false;
    let halfPoints: number | undefined;
    scanXmlTags(xml, (tag) => {
      const value = () => attributeOf(xml, tag, 'val') ?? '';
      if (tag.local === 'docDefaults') isInDefaults = tag.kind === 'open';
      else if (tag.local === 'sz' && isInDefaults) halfPoints ??= Number(value()) || undefined;
      else if (tag.local === 'style' && tag.kind === 'open') {
        type = attributeOf(xml, tag, 'type') ?? '';
        this.#ids.add(attributeOf(xml, tag, 'styleId') ?? '');
        style = { id: attributeOf(xml, tag, 'styleId') ?? '', numId: undefined, level: 0, leftTwips: undefined };
        const isDefault = ['1', 'true', 'on'].includes(attributeOf(xml, tag, 'default') ?? '');
        if (isDefault && type === 'paragraph') defaultId = style.id;
      } else if (tag.local === 'style') style = undefined;
      else if (style === undefined || tag.kind === 'close') return;
      else if (tag.local === 'name') this.#byName.set(`${type} ${value().trim().toLowerCase()}`, style);
      else if (tag.local === 'numId') style.numId = value();
      else if (tag.local === 'ind') style.leftTwips ??= leftOf(xml, tag);
      else if (tag.local === 'ilvl') style.level = Number(value()) || 0;
    });
    this.defaultParagraphId = defaultId;
    this.baseHalfPoints = halfPoints ?? wordDefaultHalfPoints;
  }

  find(type: 'paragraph' | 'character' | 'table', name: string): NumberedStyle | undefined {
    return this.#byName.get(`${type} ${name}`);
  }

  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Whether the style itself numbers its paragraphs or gives them bullets. */
  isNumbered(id: string): boolean {
    return [...this.#byName.values()].some((style) => style.id === id && style.numId !== undefined);
  }

  /** The heading style of this level, or the nearest lower level that has one. */
  heading(level: number): string | undefined {
    for (let above = level; above >= 1; above--) {
      const style = this.find('paragraph', `heading ${above}`);
      if (style !== undefined) return style.id;
    }
    return undefined;
  }
}

/** The left indent of a `w:ind` in twentieths of a point. */
export function leftOf(xml: string, ind: XmlTag): number | undefined {
  const left = attributeOf(xml, ind, 'left') ?? attributeOf(xml, ind, 'start') ?? '';
  return /^\d{1,5}$/.test(left) ? Number(left) : undefined;
}

// ECMA-376 part 1, 17.3.2.38: ten points by default.
const wordDefaultHalfPoints = 20;
