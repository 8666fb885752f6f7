import { signatures } from '../signatures.ts';
import type { Texts } from '../texts/en.ts';
import { dataTable, gap, type Page, paragraph, section, table, textWidth } from '../word.ts';

/** Clauses are numbered by Word. A clause with a condition is left out, and the numbers close up. */
export function contract(texts: Texts): Page {
  const { contract: own, money } = texts;
  const party = (name: string, role: string): string =>
    [
      paragraph('Label', role),
      paragraph('TableText', `**{${name}.name}**`),
      paragraph('TableText', `{${name}.street}`),
      paragraph('TableText', texts.cityOf(name)),
      paragraph('TableDetail', own.represented(`{${name}.representative}`), { before: 60 }),
    ].join('');
  const half = textWidth / 2;
  const parties = table('Box', [{ width: Math.floor(half) }, { width: Math.ceil(half) }], own.parties, [
    { cells: [party('client', own.client), party('contractor', own.contractor)] },
  ]);
  const services = dataTable(own.services, 'services', [
    { heading: own.service, text: '{name}', detail: 'detail', width: 5811 },
    { heading: texts.unit, text: '{unit}', width: 1600 },
    { heading: own.price, text: money('price'), width: 2000, isNumber: true },
  ]);
  const clauses = own.clauses.map(({ title, lines, when, hasServices }) => {
    const items = lines.map((line) =>
      typeof line === 'string'
        ? paragraph('Clause', line)
        : section(line.when, paragraph('Clause', line.text), 'Clause'),
    );
    const clause =
      paragraph('ClauseHeading', title) + items.join('') + (hasServices === true ? gap(40) + services + gap(60) : '');
    return when === undefined ? clause : section(when, clause, 'Clause');
  });
  const rightTab = textWidth;
  const body = [
    paragraph('Heading1', '{title}'),
    paragraph('Subtitle', own.subtitle('{number}', texts.longDate('date'))),
    paragraph('Normal', own.between, { keepNext: true }),
    parties,
    gap(160),
    ...clauses,
    paragraph('Normal', own.signed, { before: 320, keepNext: true }),
    signatures(texts, [
      `${own.placeAndDate}\n**{client.name}**\n{client.representative}`,
      `${own.placeAndDate}\n**{contractor.name}**\n{contractor.representative}`,
    ]),
  ];
  return {
    body: body.join(''),
    firstHeader: paragraph('Wordmark', '{contractor.name}') + paragraph('Rule', '', { after: 280 }),
    header: paragraph('Header', `{title}\t{number}`, { rightTab }) + paragraph('Rule', '', { after: 200 }),
    footer:
      paragraph('Rule', '') + paragraph('Footer', `{client.name} · {contractor.name}\t${texts.page}`, { rightTab }),
  };
}
