import { logoFile, mark } from './letterhead.ts';
import { palette } from './palette.ts';
import { seal } from './pictures/seal.ts';
import { signature } from './pictures/signature.ts';
import { packageDocument } from './wordml/package-document.ts';
import { inlinePicture } from './wordml/picture.ts';
import { section } from './wordml/section.ts';
import { cell, table } from './wordml/table.ts';
import { type Inline, paragraph } from './wordml/text.ts';

const marginsMm = { top: 24, right: 40, bottom: 22, left: 40 } as const;
const textWidthMm = 297 - marginsMm.left - marginsMm.right;
const centered = { align: 'center' } as const;

/** One framed landscape page with a seal, two signatures and an optional distinction. */
export const certificate = (): Buffer =>
  packageDocument({
    title: 'Certificate of completion',
    subject: 'Certificate template, landscape, with an optional distinction',
    keywords: 'certificate, template',
    body: [
      ...wording(),
      sealAndSignatures(),
      paragraph('Gap', ''),
      section({
        marginsMm,
        isLandscape: true,
        footerMm: 14,
        footers: { default: 'footer1.xml' },
        frame: { color: palette.green, insetPt: 24 },
      }),
    ],
    headersAndFooters: {
      'footer1.xml': [
        paragraph(
          'Footer',
          'Certificate No. {certificate.number} · verify at www.lindenworks.example/verify with code {certificate.code}',
          centered,
        ),
      ],
    },
    media: {
      ...logoFile(),
      'seal.png': seal(420),
      'director.png': signature('doyle'),
      'instructor.png': signature('byrne'),
    },
  });

const wording = (): readonly string[] => [
  paragraph('Header', mark(16), { ...centered, afterPt: 8 }),
  paragraph('Label', 'Linden Works Academy', { ...centered, afterPt: 4 }),
  paragraph('CoverTitle', 'Certificate of Completion', { ...centered, afterPt: 16 }),
  paragraph('Normal', 'This is to certify that', { ...centered, afterPt: 6 }),
  paragraph('Recipient', '{participant.name}', { afterPt: 10 }),
  paragraph('Normal', 'born on {participant.birthDate} in {participant.birthPlace}, has completed the course', {
    ...centered,
    afterPt: 4,
  }),
  paragraph('Lead', '**{course.title}**', { ...centered, beforePt: 6, afterPt: 8 }),
  paragraph('Normal', '{course.hours} hours, {course.start} to {course.end}', { ...centered, afterPt: 4 }),
  paragraph('TableDetail', '{#modules}{title} ({hours} h){#hasNext} · {/hasNext}{/modules}', {
    ...centered,
    afterPt: 6,
  }),
  paragraph('Normal', 'and passed the examination{#distinction} **with distinction** ({grade}){/distinction}.', {
    ...centered,
    afterPt: 22,
  }),
];

function sealAndSignatures(): string {
  const signed = (file: string, ...lines: readonly Inline[]) =>
    cell(
      [
        paragraph('Gap', inlinePicture({ file, widthMm: 40, heightMm: 15, alt: 'Signature' }), centered),
        paragraph('SignatureLine', lines[0] ?? '', centered),
        ...lines.slice(1).map((line) => paragraph('TableDetail', line, centered)),
      ],
      { vertical: 'bottom' },
    );
  const sealed = inlinePicture({ file: 'seal.png', widthMm: 33, heightMm: 33, alt: 'Seal of Linden Works Academy' });
  const sideMm = (textWidthMm - 57) / 2;
  return table({
    style: 'LindenLayout',
    columnsMm: [sideMm, 57, sideMm],
    summary: 'Signatures and seal',
    rows: [
      {
        cells: [
          signed(
            'instructor.png',
            '**{instructor.name}**',
            '{instructor.position}',
            '{certificate.place}, {certificate.date}',
          ),
          cell(paragraph('Gap', sealed, centered), { vertical: 'bottom' }),
          signed(
            'director.png',
            '**{director.name}**',
            '{director.position}',
            '{certificate.place}, {certificate.date}',
          ),
        ],
      },
    ],
  });
}
