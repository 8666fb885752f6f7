import { agreedTerms } from './contract-terms.ts';
import { logoFile, marginsMm, mark, pageOfPages, textWidthMm } from './letterhead.ts';
import { packageDocument } from './wordml/package-document.ts';
import { section } from './wordml/section.ts';
import { cell, table } from './wordml/table.ts';
import { paragraph } from './wordml/text.ts';

const keepNext = true;
const rightTab = { tabs: [{ atMm: textWidthMm, align: 'right' }] } as const;

/** An agreement with automatic clause numbers, so that omitted clauses leave no gap. */
export const contract = (): Buffer =>
  packageDocument({
    title: 'Service agreement',
    subject: 'Agreement template with optional clauses, any number of parties and a schedule of services',
    keywords: 'contract, agreement, template',
    body: [
      paragraph('Header', mark(14), { afterPt: 14 }),
      paragraph('Title', '{agreement.title}'),
      paragraph('Subtitle', 'Reference {agreement.reference}, dated {agreement.date}'),
      ...parties(),
      ...background(),
      paragraph('Heading2', 'Agreed terms'),
      ...agreedTerms(),
      ...schedule(),
      ...signatures(),
      paragraph('Gap', ''),
      section({
        marginsMm,
        hasOwnFirstPage: true,
        headers: { first: 'header1.xml', default: 'header2.xml' },
        footers: { first: 'footer1.xml', default: 'footer1.xml' },
      }),
    ],
    headersAndFooters: {
      'header1.xml': [paragraph('Header', '')],
      'header2.xml': [paragraph('Header', '{agreement.title}\t{agreement.reference}', rightTab), paragraph('Rule', '')],
      'footer1.xml': [
        paragraph('Rule', ''),
        paragraph('Footer', ['Initials ____________________\t', ...pageOfPages()], rightTab),
      ],
    },
    media: logoFile(),
  });

const parties = (): readonly string[] => [
  paragraph('Heading2', 'Parties'),
  paragraph('Normal', '{#parties}'),
  paragraph(
    'Party',
    '**{name}**, {form}, registered under No. {registrationNumber}, of {address} (the “**{role}**”){#hasNext}; and{/hasNext}{^hasNext}.{/hasNext}',
  ),
  paragraph('Normal', '{/parties}'),
];

const background = (): readonly string[] => [
  paragraph('Normal', '{#hasBackground}'),
  paragraph('Heading2', 'Background'),
  paragraph('Normal', '{#background}'),
  paragraph('Normal', '{text}', { align: 'both' }),
  paragraph('Normal', '{/background}'),
  paragraph('Normal', '{/hasBackground}'),
];

/** One row per party; the rows stay on one page, so that no signature is separated from the others. */
function signatures(): readonly string[] {
  const lineFor = (label: string) => cell(paragraph('SignatureLine', label, { keepNext, beforePt: 34 }));
  const gap = cell(paragraph('TableText', '', { keepNext }));
  return [
    paragraph('Heading2', 'Signatures', { beforePt: 26 }),
    paragraph('Normal', 'Signed by the parties in {agreement.place}, each keeping one original.', {
      keepNext,
      afterPt: 8,
    }),
    table({
      style: 'LindenLayout',
      columnsMm: [textWidthMm - 108, 8, 58, 8, 34],
      summary: 'Signatures',
      rows: [
        {
          cells: [
            cell([
              paragraph('TableText', '{#parties}**{name}**', { keepNext, beforePt: 10 }),
              paragraph('TableDetail', 'the {role}', { keepNext }),
              paragraph('TableText', '{signatory.name}', { keepNext, beforePt: 4 }),
              paragraph('TableDetail', '{signatory.position}', { keepNext, afterPt: 10 }),
            ]),
            gap,
            lineFor('Signature'),
            gap,
            lineFor('Date{/parties}'),
          ],
        },
      ],
    }),
  ];
}

function schedule(): readonly string[] {
  const head = (label: string) => cell(paragraph('TableHeading', label));
  return [
    paragraph('Heading1', 'Schedule: the Services', { pageBreakBefore: true, beforePt: 0 }),
    paragraph('Normal', '{schedule.introduction}', { afterPt: 8 }),
    table({
      style: 'LindenTable',
      columnsMm: [16, textWidthMm - 76, 32, 28],
      summary: 'Services',
      rows: [
        {
          isHeader: true,
          cells: [head('Item'), head('Service'), head('Delivered'), cell(paragraph('TableHeadingNumber', 'Fee'))],
        },
        {
          cells: [
            cell(paragraph('TableText', '{#schedule.services}{code}')),
            cell([paragraph('TableText', '{name}'), paragraph('TableDetail', '{description}')]),
            cell(paragraph('TableText', '{delivered}')),
            cell(paragraph('TableNumber', '{fee}{/schedule.services}')),
          ],
        },
      ],
    }),
  ];
}
