import { escapeAttribute } from '@docmill/word/escape-xml';
import { scanXmlTags } from '@docmill/word/xml-tokens';

/** The children of `w:rPr` in the order of the schema (ECMA-376 part 1, 17.3.2.28). */
const runOrder =
  'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden ' +
  'color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout ' +
  'specVanish oMath';

/** The children of `w:pPr` in the order of the schema (ECMA-376 part 1, 17.3.1.26). */
const paragraphOrder =
  'pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs ' +
  'suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid ' +
  'spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl ' +
  'divId cnfStyle rPr sectPr pPrChange';

/** The children of `w:tcPr` in the order of the schema (ECMA-376 part 1, 17.4.69). */
const cellOrder =
  'cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark headers cellIns ' +
  'cellDel cellMerge tcPrChange';

const orders = { 'w:rPr': runOrder, 'w:pPr': paragraphOrder, 'w:tcPr': cellOrder } as const;

/** The children of a properties element by local name, kept in schema order. */
export class PropertyList {
  readonly #element: string;
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #children: ReadonlyMap<string, string>;

  private constructor(element: string, ranks: ReadonlyMap<string, number>, children: ReadonlyMap<string, string>) {
    this.#element = element;
    this.#ranks = ranks;
    this.#children = children;
  }

  /** Parses the XML of a properties element; empty text gives a list without children. */
  static parse(element: keyof typeof orders, xml: string): PropertyList {
    const ranks = new Map(orders[element].split(' ').map((name, rank) => [name, rank]));
    const children = new Map<string, string>();
    let depth = 0;
    let start = 0;
    scanXmlTags(xml, (tag) => {
      if (tag.kind === 'close') depth--;
      if (depth === 1 && tag.kind !== 'close') start = tag.start;
      const isWhole = depth === 1 && (tag.kind === 'close' || tag.kind === 'empty');
      if (isWhole) children.set(tag.local, xml.slice(start, tag.end));
      if (tag.kind === 'open') depth++;
    });
    return new PropertyList(element, ranks, children);
  }

  get(name: string): string | undefined {
    return this.#children.get(name);
  }

  /** A copy with some children replaced; undefined removes one. */
  with(changes: Readonly<Record<string, string | undefined>>): PropertyList {
    const children = new Map(this.#children);
    for (const [name, xml] of Object.entries(changes)) {
      if (xml === undefined) children.delete(name);
      else children.set(name, xml);
    }
    return new PropertyList(this.#element, this.#ranks, children);
  }

  without(...names: readonly string[]): PropertyList {
    return this.with(Object.fromEntries(names.map((name) => [name, undefined])));
  }

  only(...names: readonly string[]): PropertyList {
    const kept = new Map([...this.#children].filter(([name]) => names.includes(name)));
    return new PropertyList(this.#element, this.#ranks, kept);
  }

  /** The XML of the element; empty text when it has no children. */
  toXml(): string {
    if (this.#children.size === 0) return '';
    // Extensions of later Word versions follow all others.
    const rank = (name: string) => this.#ranks.get(name) ?? this.#ranks.size;
    const sorted = [...this.#children].sort(([a], [b]) => rank(a) - rank(b));
    return `<${this.#element}>${sorted.map(([, xml]) => xml).join('')}</${this.#element}>`;
  }
}

/** The properties for an empty paragraph that is only a separator, so that it shows no bullet, heading or line. */
export function separatorProperties(paragraph: PropertyList): PropertyList {
  return paragraph.without('pStyle', 'numPr', 'outlineLvl', 'ind', 'pBdr', 'framePr', 'pageBreakBefore');
}

/** The style of a paragraph or a run. */
export function styleProperty(id: string, name: 'pStyle' | 'rStyle' = 'pStyle'): string {
  return `<w:${name} w:val="${escapeAttribute(id)}"/>`;
}

/** The list membership of a paragraph; `numId` 0 means none. */
export function numberProperty(numId: number, level: number): string {
  return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`;
}

/** A property with a value: `<w:color w:val="FF0000"/>`. The value needs no escapes. */
export function valueProperty(name: string, val: string | number): string {
  return `<w:${name} w:val="${val}"/>`;
}

/** A property that is on or off. */
export function toggleProperty(name: string, isOn: boolean): string {
  return isOn ? `<w:${name}/>` : `<w:${name} w:val="0"/>`;
}

/** The shading of a run, a paragraph or a cell. `fill`: six hexadecimal digits. */
export function shadeProperty(fill: string): string {
  return `<w:shd w:val="clear" w:color="auto" w:fill="${fill}"/>`;
}
