import { attributeOf, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';

export const headerTypes = ['default', 'first', 'even'] as const;
export type HeaderType = (typeof headerTypes)[number];

/** The properties of a section (ECMA-376 part 1, 17.6.17) that headers need. */
export interface Section {
  readonly tag: XmlTag;
  /** The relationships of its own headers; it inherits the others from the section before. */
  readonly headers: ReadonlyMap<HeaderType, string>;
  readonly hasTitlePage: boolean;
  readonly margins: XmlTag | undefined;
}

/** The sections of a document in order, except those of tracked changes. */
export function readSections(xml: string): readonly Section[] {
  const sections: Section[] = [];
  let open: { tag: XmlTag; headers: Map<HeaderType, string>; hasTitlePage: boolean; margins?: XmlTag } | undefined;
  let changes = 0;
  const close = (): void => {
    if (open !== undefined) sections.push({ margins: undefined, ...open });
    open = undefined;
  };
  scanXmlTags(xml, (tag) => {
    const { kind, local } = tag;
    if (local === 'sectPrChange' && kind !== 'empty') changes += kind === 'open' ? 1 : -1;
    if (changes > 0) return;
    if (local === 'sectPr') {
      close();
      if (kind === 'close') return;
      open = { tag, headers: new Map(), hasTitlePage: false };
      if (kind === 'empty') close();
    }
    if (open === undefined || kind === 'close') return;
    if (local === 'headerReference') {
      const type = headerTypes.find((each) => each === (attributeOf(xml, tag, 'type') ?? 'default'));
      if (type !== undefined) open.headers.set(type, attributeOf(xml, tag, 'id') ?? '');
    }
    if (local === 'titlePg') open.hasTitlePage = isOn(xml, tag);
    if (local === 'pgMar') open.margins = tag;
  });
  return sections;
}

/** Whether an on/off element is on (ECMA-376 part 1, 17.17.4). */
export function isOn(xml: string, tag: XmlTag): boolean {
  return !/^(?:0|false|off)$/.test(attributeOf(xml, tag, 'val') ?? '1');
}
