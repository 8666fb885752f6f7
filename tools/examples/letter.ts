import { companyFooter, continuationHeader, letterhead, logoFile, marginsMm, textWidthMm } from './letterhead.ts';
import { palette } from './palette.ts';
import { color, paint } from './pictures/canvas.ts';
import { signature } from './pictures/signature.ts';
import { packageDocument } from './wordml/package-document.ts';
import { inlinePicture, pagePicture } from './wordml/picture.ts';
import { section } from './wordml/section.ts';
import { cell, table } from './wordml/table.ts';
import { paragraph, text } from './wordml/text.ts';

const keepNext = true;

/** A business letter for a window envelope (DIN 5008 form B): the address is 45 to 90 mm from the top edge. */
export const letter = (): Buffer =>
  packageDocument({
    title: 'Letter',
    subject: 'Letter template for window envelopes with an optional appointment',
    keywords: 'letter, template',
    body: [
      paragraph('Gap', '', { afterPt: 24 }),
      addressField(),
      paragraph('Heading2', '{subject}', { beforePt: 4, afterPt: 10 }),
      paragraph('Normal', '{salutation},', { afterPt: 8 }),
      paragraph('Normal', '{#paragraphs}'),
      paragraph('Normal', '{text}', { align: 'left', afterPt: 8 }),
      paragraph('Normal', '{/paragraphs}'),
      ...appointment(),
      paragraph('Normal', '{closing},', { keepNext, beforePt: 4, afterPt: 2 }),
      ...signatureBlock(),
      ...enclosures(),
      section({
        marginsMm,
        hasOwnFirstPage: true,
        headers: { first: 'header1.xml', default: 'header2.xml' },
        footers: { first: 'footer1.xml', default: 'footer2.xml' },
      }),
    ],
    headersAndFooters: {
      'header1.xml': [...letterhead(), foldMarks()],
      'header2.xml': continuationHeader('Linden Works\t{subject}, {date}'),
      'footer1.xml': companyFooter('{reference}'),
      'footer2.xml': companyFooter('{reference}'),
    },
    media: { ...logoFile(), 'signature.png': signature('byrne'), 'fold-mark.png': foldMark() },
  });

function addressField(): string {
  const line = (value: string) => paragraph('TableText', value);
  const address = [
    paragraph('SmallPrint', text('Linden Works · 14 Harbour Row · Dublin 2', { sizePt: 7.5 }), { afterPt: 5 }),
    line('{#recipient.company}'),
    line('{recipient.company}'),
    line('{/recipient.company}'),
    line('{recipient.name}'),
    line('{recipient.street}'),
    line('{recipient.city}'),
    line('{recipient.country}'),
  ];
  const facts: readonly (readonly [string, string])[] = [
    ['Date', '{date}'],
    ['Our reference', '{reference}'],
    ['Contact', '{sender.name}'],
    ['Telephone', '{sender.telephone}'],
  ];
  const pairs = facts.flatMap(([label, value]) => [
    paragraph('Label', label),
    paragraph('TableText', value, { afterPt: 4 }),
  ]);
  return table({
    style: 'LindenLayout',
    columnsMm: [textWidthMm - 50, 50],
    summary: 'Address and letter details',
    rows: [{ exactHeightMm: 50, cells: [cell(address), cell(pairs)] }],
  });
}

function appointment(): readonly string[] {
  const fact = (label: string, value: string) =>
    cell([paragraph('Label', label), paragraph('TableText', `**${value}**`)]);
  return [
    paragraph('Normal', '{#appointment}'),
    paragraph('Normal', 'We have set aside the following time for you:', { keepNext, afterPt: 4 }),
    table({
      style: 'LindenBox',
      columnsMm: [textWidthMm * 0.36, textWidthMm * 0.2, textWidthMm * 0.44],
      summary: 'Appointment',
      rows: [{ cells: [fact('Day', '{day}'), fact('Time', '{time}'), fact('Place', '{place}')] }],
    }),
    paragraph('Normal', 'If this does not suit you, please call {sender.name} on {sender.telephone}.', {
      keepNext,
      beforePt: 8,
      afterPt: 8,
    }),
    paragraph('Normal', '{/appointment}'),
    paragraph('Normal', '{^appointment}'),
    paragraph('Normal', 'Please call {sender.name} on {sender.telephone} to agree a time that suits you.', {
      keepNext,
      afterPt: 8,
    }),
    paragraph('Normal', '{/appointment}'),
  ];
}

const signatureBlock = (): readonly string[] => [
  paragraph('Normal', inlinePicture({ file: 'signature.png', widthMm: 44, heightMm: 16.5, alt: 'Signature' }), {
    keepNext,
    afterPt: 0,
  }),
  paragraph('TableText', '**{sender.name}**', { keepNext }),
  paragraph('TableDetail', '{sender.position}', { afterPt: 14 }),
];

const enclosures = (): readonly string[] => [
  paragraph('SmallPrint', '{#hasEnclosures}'),
  paragraph('Label', 'Enclosures', { afterPt: 2 }),
  paragraph('SmallPrint', '{#enclosures}'),
  paragraph('SmallPrint', '{title}'),
  paragraph('SmallPrint', '{/enclosures}'),
  paragraph('SmallPrint', '{/hasEnclosures}'),
];

const foldMark = (): Buffer => paint({ widthPx: 16, heightPx: 1, unitPx: 1 }, () => color(palette.line));

const foldMarks = (): string =>
  paragraph(
    'Gap',
    [105, 210].map((topMm) =>
      pagePicture({ file: 'fold-mark.png', widthMm: 4, heightMm: 0.25, alt: '' }, { leftMm: 4, topMm }),
    ),
  );
