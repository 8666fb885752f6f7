import { logo } from './pictures/logo.ts';
import { inlinePicture } from './wordml/picture.ts';
import { cell, table } from './wordml/table.ts';
import { field, type Inline, paragraph, text } from './wordml/text.ts';

/** The printable width between the margins of the portrait documents. */
export const marginsMm = { top: 27, right: 22, bottom: 27, left: 22 } as const;
export const textWidthMm = 210 - marginsMm.left - marginsMm.right;

export const logoFile = (): { readonly 'logo.png': Buffer } => ({ 'logo.png': logo(320) });

export const mark = (sizeMm: number) =>
  inlinePicture({ file: 'logo.png', widthMm: sizeMm, heightMm: sizeMm, alt: 'Linden Works logo' });

/** Logo, name and contact lines at the top of a first page. */
export const letterhead = (): readonly string[] => [
  table({
    style: 'LindenLayout',
    columnsMm: [19, 85, textWidthMm - 104],
    rows: [
      {
        exactHeightMm: 17,
        cells: [
          cell(paragraph('Header', mark(15.5)), { vertical: 'center' }),
          cell(
            [
              paragraph('Letterhead', 'Linden Works'),
              paragraph('SmallPrint', 'Interiors and joinery, made to measure'),
            ],
            {
              vertical: 'center',
            },
          ),
          cell(
            ['14 Harbour Row, Dublin 2, D02 XK27', '+353 20 915 0140', 'accounts@lindenworks.example'].map((value) =>
              paragraph('SmallPrint', value, { align: 'right' }),
            ),
            { vertical: 'center' },
          ),
        ],
      },
    ],
  }),
  paragraph('Rule', '', { afterPt: 10 }),
];

/** The header of all pages after the first. */
export const continuationHeader = (...content: readonly Inline[]): readonly string[] => [
  table({
    style: 'LindenLayout',
    columnsMm: [8, textWidthMm - 8],
    rows: [
      {
        cells: [
          cell(paragraph('Header', mark(6)), { vertical: 'center' }),
          cell(paragraph('Header', content, { tabs: [{ atMm: textWidthMm - 8, align: 'right' }] }), {
            vertical: 'center',
          }),
        ],
      },
    ],
  }),
  paragraph('Rule', ''),
];

export const companyFooter = (reference: Inline): readonly string[] => [
  paragraph('Rule', ''),
  paragraph('Footer', ['Linden Works Ltd · Registered in Ireland, No. 648 210\t', reference], rightAligned),
  paragraph('Footer', ['VAT No. IE 3648210 KH · www.lindenworks.example\t', ...pageOfPages()], rightAligned),
];

export const pageOfPages = (): readonly Inline[] => [
  text('Page '),
  field('PAGE', '1'),
  text(' of '),
  field('NUMPAGES', '1'),
];

const rightAligned = { tabs: [{ atMm: textWidthMm, align: 'right' }] } as const;
