import { scanXmlTags } from '../../../docx/package/xml-tokens.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { readNumber } from './read-properties.ts';
import { attributesOf } from './read-styles.ts';

/** A page of a section in twips. */
export interface PageSize {
  /** Between the upper and the lower margin. */
  readonly height: number;
  readonly textWidth: number;
  /** Between the edge of the page and the text, for headers and footers. */
  readonly headerSpace: number;
  readonly footerSpace: number;
  /** Relationships of headers and of footers. */
  readonly headers: readonly string[];
  readonly footers: readonly string[];
}

/** Reads `w:sectPr` (ECMA-376 part 1, 17.6.17). Throws UnknownFeature for a section whose pages may be filled otherwise. */
export function readPage(xml: string): PageSize {
  const [headers, footers]: [string[], string[]] = [[], []];
  const lengths = { height: 0, width: 0, top: 0, bottom: 0, left: 0, right: 0, header: 0, footer: 0 };
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') return;
    const attributes = attributesOf(xml, tag);
    if (tag.local === 'headerReference') headers.push(attributes.get('id') ?? '');
    else if (tag.local === 'footerReference') footers.push(attributes.get('id') ?? '');
    else if (tag.local === 'pgSz') {
      lengths.height = readNumber(attributes, 'h', 1_000, 31_680);
      lengths.width = readNumber(attributes, 'w', 1_000, 31_680);
    } else if (tag.local === 'pgMar') {
      for (const side of ['top', 'bottom', 'left', 'right', 'header', 'footer'] as const)
        lengths[side] = readNumber(attributes, side, 0, 31_680);
    } else if (tag.local === 'docGrid' && /lines|snap/i.test(attributes.get('type') ?? ''))
      throw new UnknownFeature('a grid of lines');
  });
  const { height, width, top, bottom, left, right, header, footer } = lengths;
  if (height - top - bottom < 1_000 || top === 0) throw new UnknownFeature('a section without a usual page');
  return {
    height: height - top - bottom,
    textWidth: width - left - right,
    headerSpace: top - header,
    footerSpace: bottom - footer,
    headers,
    footers,
  };
}
