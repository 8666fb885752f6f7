import { type TemplateData, TemplateHandler } from 'easy-template-x';
import { expect, test } from 'vitest';
import { migrateTemplate } from '../../../../../clients/cli/src/migrate/migrate-template.ts';
import { openPackage } from '../../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, paragraph } from '../../../../support/documents/docx-builder.ts';
import { type MigrationCase, reported, rewritten, rowsAndX, testMigrations, works } from './migration-case.ts';

const beers = {
  Beers: [
    { Brand: 'Carlsberg', Price: 1 },
    { Brand: 'Leaf Blonde', Price: 2 },
  ],
};

/** Features of easy-template-x, with the plugins that it includes. */
const cases: readonly MigrationCase[] = [
  works('value', 'Dear {name},', { name: 'Ada' }),
  works('name with spaces', '{First Tag} and { Second Tag }', { 'First Tag': 'a', 'Second Tag': 'b' }),
  works('name with punctuation', '{Total (EUR)}', { 'Total (EUR)': 5 }),
  works('name with dots', '{customer.city}', { 'customer.city': 'Bern' }),
  works('line breaks', '{text}', { text: 'a\nb' }),
  works('list in a text', '{#Beers}{Brand}; {/Beers}', beers),
  works('list of paragraphs', '{#Beers}\n{Brand} costs {Price}\n{/Beers}\nEnd', beers, { hasBlankLines: true }),
  works('list of rows', rowsAndX('Brand | Price', '{#Beers}{Brand} | {Price}{/Beers}'), beers),
  rewritten('closing tag of any name', '{#Beers}{Brand} {/something else}{#Beers}{Price} {/}', beers),
  works('condition', '{#lines}{#visible}yes{/visible}{#invisible}no{/invisible} {/lines}', {
    lines: [{ visible: true }, { invisible: true }],
  }),
  works(
    'nested conditions',
    '{#teams}\n{#show}\n{name}\n{#members}\n{name}\n{/members}\n{/show}\n{/teams}',
    {
      teams: [
        { show: true, name: 'A-Team', members: [{ name: 'Face' }] },
        { show: false, name: 'B-Team', members: [{ name: 'Bob' }] },
      ],
    },
    { hasBlankLines: true },
  ),
  works(
    'values from outside the section',
    '{#Employees}\n{Surname}, {Company}\n{/Employees}',
    { Company: 'Contoso', Employees: [{ Surname: 'Gates' }, { Surname: 'Nadella' }] },
    { hasBlankLines: true },
  ),
  works('tag in several runs', { body: paragraph(['Dear {na', 'me', '}']) }, { name: 'Ada' }),
  works('characters of XML', '{text}', { text: '<a> & "b"' }),
  works('numbers, true and missing values', '{n} {yes} {no}', { n: 5, yes: true }),
  works('tab', '{text}', { text: 'a\tb' }),
  works('lists in lists', '{#teams}{name}: {#members}{name} {/members}{/teams}', {
    teams: [{ name: 'A', members: [{ name: 'Face' }, { name: 'Murdock' }] }],
  }),
  rewritten('repeated content', '{#Beers [loopOver: "content"]}{Brand} {/}', beers),
  rewritten('repeated row', rowsAndX('{#Beers [loopOver: "row"]}{Brand}{/} | {Price}'), beers),
  rewritten('repeated paragraph', '{#Beers [loopOver: "paragraph"]}{Brand}{/}\nEnd', beers),
  works(
    'header',
    { body: paragraph('{a}'), headers: [paragraph('{b}')], footers: [paragraph('{c}')] },
    { a: 1, b: 2, c: 3 },
  ),
  reported('repeated column', rowsAndX('{#Beers}{Brand}', '{Price}{/Beers}')),
  reported('repeated column, with the option', rowsAndX('{#Beers [loopOver: "column"]}{Brand}{/} | x')),
  reported('name that is an expression', '{a|b}'),
];

testMigrations({
  ...{ engine: 'easy-template-x', name: 'easy-template-x', cases, isUploadable: true },
  render: (template, data) => new TemplateHandler().process(template, data as TemplateData),
});

test('the alternative text of a placeholder picture is migrated', () => {
  const picture = (text: string) =>
    `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="${text}"/><a:graphic><a:graphicData uri="x"><pic:pic/>` +
    '</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
  const template = buildDocx({ body: picture('{My Photo}') + picture('A house') });
  const { file, report } = migrateTemplate(template, 'easy-template-x');
  const xml = openPackage(Buffer.from(file)).readText('word/document.xml') ?? '';
  expect(xml).toContain('descr="{%My Photo}"');
  expect(xml).toContain('descr="A house"');
  expect(report.rewritten).toBe(1);
});
