import { logoFile, marginsMm, mark, pageOfPages, textWidthMm } from './letterhead.ts';
import { palette } from './palette.ts';
import { banner } from './pictures/banner.ts';
import { departments } from './report-departments.ts';
import { footnoteMark, footnotesXml, tableOfContents } from './wordml/contents.ts';
import { packageDocument } from './wordml/package-document.ts';
import { pagePicture } from './wordml/picture.ts';
import { section } from './wordml/section.ts';
import { cell, table } from './wordml/table.ts';
import { paragraph } from './wordml/text.ts';

const rightTab = { tabs: [{ atMm: textWidthMm, align: 'right' }] } as const;

/** A cover, a table of contents and chapters from nested loops: departments, their projects, their milestones. */
export const report = (): Buffer =>
  packageDocument({
    title: 'Progress report',
    subject: 'Report template with cover, contents and nested sections',
    keywords: 'report, template',
    body: [
      ...cover(),
      tableOfContents('Contents', 'Summary', [
        paragraph('TOC1', '{#departments}'),
        paragraph('TOC1', '{name}'),
        paragraph('TOC2', '{#projects}'),
        paragraph('TOC2', '{name}'),
        paragraph('TOC2', '{/projects}'),
        paragraph('TOC1', '{/departments}'),
      ]),
      ...summary(),
      ...departments(),
      section({ marginsMm, headers: { default: 'header1.xml' }, footers: { default: 'footer1.xml' } }),
    ],
    headersAndFooters: {
      'header1.xml': [paragraph('Header', '{report.title}\t{report.period}', rightTab), paragraph('Rule', '')],
      'footer1.xml': [
        paragraph('Rule', ''),
        paragraph('Footer', ['Linden Works · {report.classification}\t', ...pageOfPages()], rightTab),
      ],
    },
    media: { ...logoFile(), 'cover.png': banner() },
    footnotes: footnotesXml([
      'Figures as of {report.figuresFrom}. Budgets include contingency and exclude value added tax.',
    ]),
    updateFields: true,
  });

const cover = (): readonly string[] => [
  paragraph('Gap', pagePicture({ file: 'cover.png', widthMm: 210, heightMm: 132, alt: '' }, { leftMm: 0, topMm: 0 })),
  table({
    style: 'LindenLayout',
    columnsMm: [textWidthMm],
    summary: 'Space for the cover picture',
    rows: [{ exactHeightMm: 122, cells: [cell(paragraph('Gap', ''))] }],
  }),
  paragraph('Lead', '{report.period}', { afterPt: 4 }),
  paragraph('CoverTitle', '{report.title}'),
  paragraph('Subtitle', '{report.subtitle}', { afterPt: 48 }),
  table({
    style: 'LindenLayout',
    columnsMm: [22, 72, textWidthMm - 94],
    summary: 'About this report',
    rows: [
      {
        cells: [
          cell(paragraph('Header', mark(16)), { vertical: 'center' }),
          cell(
            [paragraph('Label', 'Prepared by'), paragraph('TableText', '**{report.author}**\n{report.department}')],
            {
              vertical: 'center',
            },
          ),
          cell([paragraph('Label', 'For'), paragraph('TableText', '**{report.audience}**\n{report.date}')], {
            vertical: 'center',
          }),
        ],
      },
    ],
  }),
  // A section ends with the paragraph that holds its properties.
  `<w:p><w:pPr><w:pStyle w:val="Gap"/>${section({ marginsMm })}</w:pPr></w:p>`,
];

function summary(): readonly string[] {
  const figures = [
    ['{figures.projects}', 'Projects'],
    ['{figures.onTime}', 'On schedule'],
    ['{figures.budget}', 'Budget'],
    ['{figures.spent}', 'Spent'],
  ] as const;
  const columnMm = textWidthMm / figures.length;
  const edge = { color: palette.white, widthPt: 3 };
  return [
    paragraph('Heading1', 'Summary', { beforePt: 20 }),
    paragraph('Lead', ['{summary.lead}', footnoteMark(1)]),
    table({
      style: 'LindenLayout',
      columnsMm: figures.map(() => columnMm),
      summary: 'Key figures',
      rows: [
        {
          cells: figures.map(([value, label], index) =>
            cell([paragraph('KeyFigure', value), paragraph('Label', label, { afterPt: 0 })], {
              fill: palette.mist,
              paddingMm: { top: 3, bottom: 3, left: 4, right: 2 },
              ...(index === 0 ? {} : { borders: { left: edge } }),
            }),
          ),
        },
      ],
    }),
    paragraph('Gap', '', { afterPt: 8 }),
    paragraph('Normal', '{#summary.paragraphs}'),
    paragraph('Normal', '{text}'),
    paragraph('Normal', '{/summary.paragraphs}'),
    paragraph('Heading3', 'Decisions asked for'),
    paragraph('ListBullet', '{#decisions}'),
    paragraph('ListBullet', '{text}'),
    paragraph('ListBullet', '{/decisions}'),
    paragraph('Normal', '{^decisions}'),
    paragraph('Normal', 'No decision is asked for in this period.'),
    paragraph('Normal', '{/decisions}'),
  ];
}
