import { textWidthMm } from './letterhead.ts';
import { cell, table } from './wordml/table.ts';
import { paragraph } from './wordml/text.ts';

const heading = (title: string): string => paragraph('ClauseHeading', title);
const clause = (wording: string): string => paragraph('Clause', wording);
const subclause = (wording: string): string => paragraph('Subclause', wording);

/** Paragraphs under a condition; with a `{^…}` opener they appear when it is false. */
const when = (opener: string, ...blocks: readonly string[]): readonly string[] => [
  paragraph('Normal', `{${opener}}`),
  ...blocks,
  paragraph('Normal', `{/${opener.slice(1)}}`),
];

export const agreedTerms = (): readonly string[] => [
  ...definitions(),
  ...services(),
  ...termAndRenewal(),
  ...fees(),
  ...when(
    '#confidentiality',
    heading('Confidentiality'),
    clause(
      'Each party keeps secret what it learns of the other’s business under this agreement and uses it for no other purpose. This duty lasts for {years} years after the agreement has ended.',
    ),
    clause('It does not cover what is public without a breach of this agreement or must be disclosed by law.'),
  ),
  ...when(
    '#intellectualProperty',
    heading('Intellectual property'),
    clause('Drawings, models and samples made for the Services pass to the Client once they are paid for.'),
    clause('The Supplier may show photographs of the finished work unless the Client objects in writing.'),
  ),
  ...liability(),
  ...termination(),
  heading('General'),
  clause('Changes to this agreement need the written form. Should a clause be void, the others remain in force.'),
  clause('This agreement is governed by the law of {law.country}. The courts of {law.courts} have jurisdiction.'),
];

const definitions = (): readonly string[] => [
  heading('Definitions'),
  clause('In this agreement, the following words have these meanings:'),
  ...when('#definitions', subclause('“**{term}**” means {meaning}.')),
  clause('Words in the singular include the plural. Headings do not affect the meaning of a clause.'),
];

const services = (): readonly string[] => [
  heading('The Services'),
  clause(
    'The Supplier provides the Services listed in the Schedule with the care expected of an experienced firm of its trade.',
  ),
  clause('The Supplier shall in particular:'),
  ...when('#duties', subclause('{text}')),
];

const termAndRenewal = (): readonly string[] => [
  heading('Term'),
  clause('This agreement begins on {term.start} and ends on {term.end}.'),
  ...when(
    '#term.renewal',
    clause(
      'It is renewed for {period} at a time unless one party tells the other in writing, at least {notice} before it would end, that it does not wish to renew.',
    ),
  ),
  ...when('^term.renewal', clause('It ends on that day without notice and is renewed by written agreement only.')),
];

function fees(): readonly string[] {
  const head = (label: string) => cell(paragraph('TableHeading', label));
  const instalments = table({
    style: 'LindenTable',
    columnsMm: [textWidthMm - 90, 42, 38],
    indentMm: 10,
    summary: 'Instalments',
    rows: [
      { isHeader: true, cells: [head('Instalment'), head('Due'), cell(paragraph('TableHeadingNumber', 'Amount'))] },
      {
        cells: [
          cell(paragraph('TableText', '{#instalments}{name}')),
          cell(paragraph('TableText', '{due}')),
          cell(paragraph('TableNumber', '{amount}{/instalments}')),
        ],
      },
    ],
  });
  return [
    heading('Fees and payment'),
    ...when(
      '#fixedFee',
      paragraph(
        'Clause',
        'For the Services the Client pays a fixed fee of **{amount}**, plus value added tax, in these instalments:',
        {
          keepNext: true,
        },
      ),
      instalments,
      paragraph('Gap', '', { afterPt: 8 }),
    ),
    ...when(
      '^fixedFee',
      clause('The Client pays for the time spent, at {hourlyRate} an hour plus value added tax, invoiced monthly.'),
    ),
    clause('Invoices are payable within {paymentDays} days of receipt, without deduction.'),
    ...when(
      '#expenses',
      clause('Travel and material are charged at cost, up to {limit} in total without further consent.'),
    ),
  ];
}

const liability = (): readonly string[] => [
  heading('Liability'),
  clause('Nothing in this agreement limits liability for intent, gross negligence, or injury to life, body or health.'),
  ...when(
    '#liabilityCap',
    clause('In all other cases the liability of each party is limited to {liabilityCap} for each year.'),
  ),
  ...when(
    '#delayDamages',
    clause(
      'If the Supplier is late through its own fault, the Client may claim {rate} of the fee for each full week, up to {maximum}.',
    ),
  ),
];

const termination = (): readonly string[] => [
  heading('Termination'),
  clause('Either party may terminate this agreement at once if the other'),
  subclause('commits a serious breach and does not remedy it within {remedyDays} days of a written request, or'),
  subclause('becomes insolvent or stops paying its debts.'),
  clause('On termination the Client pays for the Services provided until then.'),
];
