import { expect, it } from 'vitest';
import { migrateTemplate } from '../../../../../clients/cli/src/migrate/migrate-template.ts';
import { buildDocx, run } from '../../../../support/documents/docx-builder.ts';
import { complexField, simpleField } from '../../../../support/documents/word-fields.ts';

it('a template of Word is reported: what is filled as it is, what is not, and the data to send', () => {
  const vip = complexField('MERGEFIELD "Is VIP"');
  const fields = [
    complexField('IF "VIP" = "yes" "a" "b"', { fields: { VIP: vip } }),
    ...[
      'MERGEFIELD Name \\* Upper',
      'MERGEFIELD TableStart:Orders',
      'MERGEFIELD TableEnd:Orders',
      'ASK x "Who?"',
      'PAGE',
    ].map(simpleField),
  ];
  const control = (title: string, more = '') =>
    `<w:sdt><w:sdtPr><w:alias w:val="${title}"/>${more}<w:text/></w:sdtPr><w:sdtContent>${run('x')}</w:sdtContent></w:sdt>`;
  const controls = [control('{colour}'), control('Size'), control('Bound', '<w:dataBinding w:xpath="/a/b"/>')];
  const file = buildDocx({ body: `<w:p>${[...fields, ...controls].join('')}</w:p>` });
  const { report } = migrateTemplate(file, 'word');
  expect(report).toMatchObject({ engine: 'word', unchanged: 7, rewritten: 0, left: 2 });
  expect(report.findings.map(({ tag, write }) => [tag, write])).toEqual([
    ['ASK x "Who?"', '{answer}'],
    ['Size', '{Size}'],
  ]);
  expect(report.data).toEqual(['Send "Is VIP".', 'Send "Name".', 'Send the list "Orders".']);
});
