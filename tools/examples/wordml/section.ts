import { twips } from './text.ts';

export type Section = {
  readonly marginsMm: { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };
  readonly headerMm?: number;
  readonly footerMm?: number;
  readonly isLandscape?: boolean;
  /** File names such as `header1.xml`; `first` is for a different first page of the section. */
  readonly headers?: { readonly default?: string; readonly first?: string };
  readonly footers?: { readonly default?: string; readonly first?: string };
  readonly hasOwnFirstPage?: boolean;
  /** A double line around the page, at this distance from its edges. */
  readonly frame?: { readonly color: string; readonly insetPt: number };
};

/** Section properties of an A4 page (ISO 216). */
export function section(format: Section): string {
  const [width, height] = format.isLandscape === true ? [297, 210] : [210, 297];
  const margins = format.marginsMm;
  const references = (['header', 'footer'] as const).flatMap((kind) => {
    const files = kind === 'header' ? format.headers : format.footers;
    return (['default', 'first'] as const).flatMap((type) => {
      const file = files?.[type];
      return file === undefined ? [] : [`<w:${kind}Reference w:type="${type}" r:id="rel:${file}"/>`];
    });
  });
  return [
    '<w:sectPr>',
    ...references,
    `<w:pgSz w:w="${twips(width)}" w:h="${twips(height)}"${format.isLandscape === true ? ' w:orient="landscape"' : ''}/>`,
    `<w:pgMar w:top="${twips(margins.top)}" w:right="${twips(margins.right)}" w:bottom="${twips(margins.bottom)}" `,
    `w:left="${twips(margins.left)}" w:header="${twips(format.headerMm ?? 12)}" `,
    `w:footer="${twips(format.footerMm ?? 12)}" w:gutter="0"/>`,
    frameXml(format.frame),
    '<w:cols w:space="708"/>',
    format.hasOwnFirstPage === true ? '<w:titlePg/>' : '',
    '<w:docGrid w:linePitch="360"/></w:sectPr>',
  ].join('');
}

function frameXml(frame: Section['frame']): string {
  if (frame === undefined) return '';
  const edge = `w:val="thinThickSmallGap" w:sz="24" w:space="${frame.insetPt}" w:color="${frame.color}"`;
  const edges = ['top', 'left', 'bottom', 'right'].map((side) => `<w:${side} ${edge}/>`).join('');
  return `<w:pgBorders w:offsetFrom="page">${edges}</w:pgBorders>`;
}
