import { box } from '../letterhead.ts';
import type { Texts } from '../texts/en.ts';
import { dataTable, gap, type Page, paragraph, section, textWidth } from '../word.ts';

/** The colour of a status says the same as its word. */
const fill = '{@cell fill:status == "late" ? "F8E1DD" : status == "done" ? "DFF0E4" : "FBF2D5"}';

export function report(texts: Texts): Page {
  const { report: own, number, date } = texts;
  const rightTab = textWidth;
  const status = `{status == "late" ? "${own.states.late}" : status == "done" ? "${own.states.done}" : "${own.states.open}"}`;
  const change = 'actual - target';
  const body = [
    paragraph('Heading1', '{title}'),
    paragraph('Subtitle', '{subtitle}'),
    box(own.facts, [
      [2353, [[own.period, '{period}']]],
      [2353, [[own.date, date('date')]]],
      [2353, [[own.author, '{author}']]],
      [2352, [[own.recipient, '{recipient}']]],
    ]),
    paragraph('Heading2', own.summary),
    section('#summary', paragraph('Normal', '{.}'), 'Normal'),
    paragraph('Heading2', own.figures),
    dataTable(own.figures, 'figures', [
      { heading: own.figure, text: '{name}', width: 4011 },
      { heading: texts.unit, text: '{unit}', width: 1200 },
      { heading: own.target, text: number('target'), width: 1400, isNumber: true },
      { heading: own.actual, text: number('actual'), width: 1400, isNumber: true },
      {
        heading: own.change,
        text: `{#${change} > 0}+{/}${number(change).replace('}', ' | replace:"-":"−"}')}`,
        width: 1400,
        isNumber: true,
      },
    ]),
    gap(120),
    section(
      '#sections',
      paragraph('Heading2', '{heading}') +
        section('#paragraphs', paragraph('Normal', '{.}'), 'Normal') +
        section('#points', paragraph('ListBullet', '{.}'), 'ListBullet'),
      'Normal',
    ),
    paragraph('Heading2', own.actions),
    dataTable(own.actions, 'actions', [
      { heading: own.action, text: '{task}', width: 4611 },
      { heading: own.owner, text: '{owner}', width: 1800 },
      { heading: own.due, text: date('due'), width: 1500 },
      { heading: own.status, text: `${fill}${status}`, width: 1500 },
    ]),
    gap(120),
  ];
  return {
    body: body.join(''),
    firstHeader: paragraph('Wordmark', '{sender.name}') + paragraph('Rule', '', { after: 320 }),
    header: paragraph('Header', '{sender.name}\t{title}', { rightTab }) + paragraph('Rule', '', { after: 200 }),
    footer: paragraph('Rule', '') + paragraph('Footer', `{title} · {period}\t${texts.page}`, { rightTab }),
  };
}
