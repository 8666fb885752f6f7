import type { Texts } from './texts/en.ts';
import { gap, type Page, paragraph, section, table, textWidth } from './word.ts';

/** Pairs of a label and a tag, in the order of the page. */
export type Facts = readonly (readonly [label: string, value: string])[];

const addressWidth = 5216;
const factsWidth = textWidth - addressWidth;

/** A company's page: its name above the first page, the document's name above the others, and its details below all. */
export function letterhead(texts: Texts, name: string, body: string): Page {
  const contact = ['{sender.phone}', '{sender.email}', '{sender.web}'];
  const firstHeader = table('Columns', [{ width: 5613 }, { width: textWidth - 5613 }], '', [
    {
      cells: [
        paragraph('Wordmark', '{sender.name}') + paragraph('Header', '{sender.tagline}'),
        contact.map((line) => paragraph('Header', line, { align: 'right' })).join(''),
      ],
    },
  ]).replace('<w:tblCaption w:val=""/>', '');
  const rightTab = textWidth;
  return {
    body,
    firstHeader: firstHeader + paragraph('Rule', '', { after: 280 }),
    header: paragraph('Header', `{sender.name}\t${name}`, { rightTab }) + paragraph('Rule', '', { after: 200 }),
    footer: [
      paragraph('Rule', ''),
      paragraph('Footer', `{sender.name} · {sender.street} · ${texts.cityOf('sender')}\t${texts.page}`, { rightTab }),
      paragraph('Footer', `{sender.legal}\t${name}`, { rightTab }),
    ].join(''),
  };
}

/** The recipient, in the window of an envelope, beside the facts about the document. */
export function addressAndFacts(texts: Texts, recipient: string, facts: Facts): string {
  const contact = `${recipient}.contact`;
  const address = [
    paragraph('Label', `{sender.name} · {sender.street} · ${texts.cityOf('sender')}`, { after: 100 }),
    paragraph('Address', `**{${recipient}.name}**`),
    section(`#${contact}`, paragraph('Address', `{${contact}}`), 'Address'),
    paragraph('Address', `{${recipient}.street}`),
    ...texts.cityLines(recipient).map((line) => paragraph('Address', line)),
  ];
  const lines = facts.map(([label, value], at) =>
    paragraph('TableText', `${label}\t${at === 0 ? `**${value}**` : value}`, { rightTab: factsWidth, after: 20 }),
  );
  const cells = [address.join(''), lines.join('')];
  return (
    table('Columns', [{ width: addressWidth }, { width: factsWidth }], texts.addressCaption, [{ cells }]) + gap(440)
  );
}

/** A box with small labels above values. */
export function box(caption: string, columns: readonly (readonly [width: number, facts: Facts])[]): string {
  const cells = columns.map(([, facts]) =>
    facts
      .map(
        ([label, value], at) =>
          paragraph('Label', label) + paragraph('TableText', value, { after: at < facts.length - 1 ? 80 : 0 }),
      )
      .join(''),
  );
  return (
    table(
      'Box',
      columns.map(([width]) => ({ width })),
      caption,
      [{ cells }],
    ) + gap(160)
  );
}
