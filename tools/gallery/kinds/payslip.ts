import { addressAndFacts, box, letterhead } from '../letterhead.ts';
import type { Texts } from '../texts/en.ts';
import { dataTable, gap, type Page, paragraph, section } from '../word.ts';

/** All amounts come from the payroll; the sums of the tables are computed. */
export function payslip(texts: Texts): Page {
  const { payslip: own, money, number, date } = texts;
  const facts = own.facts.map(
    ([label, name]) => [label, name === 'payDate' || name === 'employee.since' ? date(name) : `{${name}}`] as const,
  );
  const body = [
    addressAndFacts(texts, 'employee', facts),
    paragraph('Heading1', own.heading),
    paragraph('Subtitle', texts.month('period')),
    dataTable(own.earnings, 'earnings', [
      { heading: own.earnings, text: '{name}', width: 4411 },
      { heading: texts.quantity, text: number('quantity'), width: 1400, isNumber: true },
      { heading: own.rate, text: money('rate'), width: 1700, isNumber: true },
      { heading: own.amount, text: money('amount'), width: 1900, isNumber: true },
    ]),
    gap(80, true),
    paragraph('Sum', `**${own.gross}**\t**${money('earnings | sum:"amount"')}**`),
    gap(120),
    dataTable(own.deductions, 'deductions', [
      { heading: own.deductions, text: '{name}', width: 3911 },
      { heading: own.base, text: `{#base}${money('base')}{/}`, width: 1400, isNumber: true },
      { heading: own.percentage, text: `{#rate}${texts.rate('rate')}{/}`, width: 1100, isNumber: true },
      { heading: own.employee, text: `{#employee}${money('employee')}{/}`, width: 1500, isNumber: true },
      { heading: own.employer, text: `{#employer}${money('employer')}{/}`, width: 1500, isNumber: true },
    ]),
    gap(80, true),
    section('#summary', paragraph('Sum', `{name}\t${money('amount')}`), 'Sum'),
    paragraph('Total', `${own.net}\t${money('netPay')}`),
    gap(160),
    box(own.yearToDate, [
      [2353, [[own.toDate.gross, money('yearToDate.gross')]]],
      [2353, [[own.toDate.tax, money('yearToDate.tax')]]],
      [2353, [[own.toDate.social, money('yearToDate.social')]]],
      [2352, [[own.toDate.net, money('yearToDate.net')]]],
    ]),
    paragraph('Normal', own.paid(date('payDate'), '{employee.iban}'), { after: 60 }),
    section('#notes', paragraph('Small', '{.}')),
    own.notice === '' ? '' : paragraph('Small', own.notice),
  ];
  return letterhead(texts, own.heading, body.join(''));
}
