import { textWidthMm } from './letterhead.ts';
import { palette } from './palette.ts';
import { cell, table } from './wordml/table.ts';
import { type Inline, paragraph, text } from './wordml/text.ts';

const keepNext = true;

/** A chapter per department on a new page, with a section per project. */
export const departments = (): readonly string[] => [
  paragraph('Normal', '{#departments}'),
  paragraph('Heading1', '{name}', { pageBreakBefore: true, beforePt: 0 }),
  paragraph('Lead', 'Led by {lead}'),
  paragraph('Normal', '{overview}'),
  paragraph('Normal', '{#projects}'),
  paragraph('Heading2', '{name}'),
  projectFacts(),
  paragraph('Gap', '', { afterPt: 6, keepNext }),
  paragraph('Normal', '{progress}'),
  milestones(),
  paragraph('Gap', '', { afterPt: 4 }),
  ...risks(),
  paragraph('Normal', '{/projects}'),
  paragraph('Normal', '{/departments}'),
];

function projectFacts(): string {
  const state: readonly Inline[] = [
    text('{#isLate}', {}),
    text('Behind schedule', { bold: true, color: palette.amber }),
    text('{/isLate}{^isLate}'),
    text('On schedule', { bold: true, color: palette.leaf }),
    text('{/isLate}'),
  ];
  const fact = (label: string, value: readonly Inline[]) =>
    cell([paragraph('Label', label, { keepNext }), paragraph('TableText', value, { keepNext })]);
  return table({
    style: 'LindenBox',
    columnsMm: [46, 36, 36, textWidthMm - 118],
    summary: 'Project facts',
    rows: [
      {
        cells: [
          fact('Manager', ['{manager}']),
          fact('Budget', ['{budget}']),
          fact('Spent', ['{spent}']),
          fact('State', state),
        ],
      },
    ],
  });
}

function milestones(): string {
  const head = (label: string) => cell(paragraph('TableHeading', label));
  return table({
    style: 'LindenTable',
    columnsMm: [textWidthMm - 92, 32, 32, 28],
    summary: 'Milestones',
    rows: [
      {
        isHeader: true,
        cells: [head('Milestone'), head('Planned'), head('Forecast'), cell(paragraph('TableHeadingNumber', 'Done'))],
      },
      {
        cells: [
          cell(paragraph('TableText', '{#milestones}{title}')),
          cell(paragraph('TableText', '{planned}')),
          cell(paragraph('TableText', '{forecast}')),
          cell(paragraph('TableNumber', '{percentDone}{/milestones}')),
        ],
      },
    ],
  });
}

const risks = (): readonly string[] => [
  paragraph('Normal', '{#hasRisks}'),
  paragraph('Heading3', 'Risks'),
  paragraph('ListBullet', '{#risks}'),
  paragraph('ListBullet', '**{title}.** {measure}'),
  paragraph('ListBullet', '{/risks}'),
  paragraph('Normal', '{/hasRisks}'),
  paragraph('Normal', '{^hasRisks}'),
  paragraph('TableDetail', 'No open risks.'),
  paragraph('Normal', '{/hasRisks}'),
];
