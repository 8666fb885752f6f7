import { addressAndFacts, letterhead } from '../letterhead.ts';
import type { Texts } from '../texts/en.ts';
import { gap, type Page, paragraph, section } from '../word.ts';

/** The closing, the name and the last lines of the text stay together. */
export function letter(texts: Texts): Page {
  const { letter: own, longDate } = texts;
  const facts = [
    [own.date, longDate('date')],
    [own.ourReference, '{reference}'],
    [own.contact, '{signatory.name}'],
    [own.direct, '{signatory.phone}'],
  ] as const;
  const enclosures =
    paragraph('Label', own.enclosures, { before: 120 }) +
    section('#enclosures', paragraph('ListBullet', '{.}'), 'ListBullet');
  const body = [
    addressAndFacts(texts, 'recipient', facts),
    paragraph('Subject', '{subject}'),
    paragraph('Normal', '{salutation}'),
    section('#paragraphs', paragraph('Normal', '{.}'), 'Normal'),
    paragraph('Normal', own.closing, { before: 60, after: 720, keepNext: true }),
    paragraph('Address', '**{signatory.name}**', { keepNext: true }),
    paragraph('Small', '{signatory.role}'),
    gap(160),
    section('#(enclosures | count) > 0', enclosures),
  ];
  return letterhead(texts, '{subject}', body.join(''));
}
