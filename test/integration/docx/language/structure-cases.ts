import { type DocxInput, footnoteReference, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { successes } from './language-case.ts';

const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
const checkbox = (title: string) =>
  `<w:sdt><w:sdtPr><w:alias w:val="${title}"/><w:id w:val="7"/><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox></w:sdtPr>` +
  '<w:sdtContent><w:r><w:t>☐</w:t></w:r></w:sdtContent></w:sdt>';
const control = (content: string) =>
  `<w:sdt><w:sdtPr><w:id w:val="9"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const commented =
  `<w:p>${run('{#tasks}')}<w:commentRangeStart w:id="0"/>${run('{name}')}<w:commentRangeEnd w:id="0"/>` +
  `<w:r><w:commentReference w:id="0"/></w:r>${run('; {/tasks}')}</w:p>`;
const merged = (text: string, merge: string) =>
  `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/>${merge}</w:tcPr>${paragraph(text)}</w:tc>`;
const tasks = [
  { name: 'write', done: true },
  { name: 'send', done: false },
];
const months = [{ name: 'Jan' }, { name: 'Feb' }];
const rows = [{ product: 'Pen', amounts: { Jan: 1, Feb: 2 }, total: 3 }];
const cross: DocxInput = {
  body: `${table([
    ['Product', '{|months}{name}', 'Total'],
    ['{#rows}{product}', '{amounts[name]}', '{total}{/rows}'],
  ])}<w:p/>`,
};

export const structureCases = successes([
  ['columns for each item', cross, { months, rows }, ['Product', 'Jan', 'Feb', 'Total', 'Pen', '1', '2', '3']],
  ['no columns for an empty list', cross, { months: [], rows }, ['Product', 'Total', 'Pen', '3']],
  [
    'a column under a condition',
    { body: `${table([['a', '{|^secret}b', 'c']])}<w:p/>` },
    { secret: true },
    ['a', 'c'],
    { markup: [/^(?:(?!<w:gridCol).)*(?:<w:gridCol[^>]*>(?:(?!<w:gridCol).)*){2}$/s] },
  ],
  [
    'merged cells over the rows of a group',
    {
      body:
        '<w:tbl><w:tblPr><w:tblW w:w="6000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>' +
        `<w:tr>${merged('{#groups}{#items}{group}', '<w:vMerge w:val="restart"/>')}${merged('{.}{/items}', '')}</w:tr>` +
        `<w:tr>${merged('', '<w:vMerge/>')}${merged('sum {items | sum}{/groups}', '')}</w:tr></w:tbl><w:p/>`,
    },
    {
      groups: [
        { group: 'A', items: [1, 2] },
        { group: 'B', items: [] },
      ],
    },
    ['A', '1', 'A', '2', '', 'sum 3', '', 'sum 0'],
    { markup: [/(?:<w:vMerge w:val="restart"\/>.*){2}/s] },
  ],
  [
    'checkboxes of each item',
    { body: `<w:p>${run('{#tasks}')}${checkbox('{done}')}${run(' {name} {/tasks}')}</w:p>` },
    { tasks },
    '☒ write ☐ send ',
  ],
  [
    'a checkbox over an expression',
    { body: `<w:p>${checkbox('{count &gt; 1 and not paid}')}${run('{count}')}</w:p>` },
    { count: 2 },
    '☒2',
  ],
  [
    'a page for each item, and none after the last',
    { body: paragraph('{#tasks}') + paragraph('Task {name}') + pageBreak + paragraph('{/tasks}') },
    { tasks },
    ['Task write', '', 'Task send'],
    { pages: 2 },
  ],
  [
    'no page for an empty list',
    { body: paragraph('Intro') + paragraph('{#tasks}') + paragraph('x') + pageBreak + paragraph('{/tasks}') },
    { tasks: [] },
    'Intro',
    { pages: 1 },
  ],
  [
    'content controls around paragraphs, in paragraphs and around rows',
    {
      body:
        control(paragraph('{#tasks}') + paragraph('{name}') + paragraph('{/tasks}')) +
        `<w:p>${control(run('{#tasks}{$number} {/tasks}'))}</w:p>`,
    },
    { tasks },
    ['write', 'send', '1 2 '],
  ],
  [
    'a comment stays with the first item',
    { body: commented, comments: [paragraph('ask {who}')] },
    { tasks, who: 'Ada' },
    'write; send; ',
    { parts: { 'word/comments.xml': ['ask Ada'] } },
  ],
  [
    'notes of each item',
    {
      body: `<w:p>${run('{#tasks}{name}')}${footnoteReference(1)}${run(' {/tasks}')}</w:p>`,
      footnotes: [paragraph('see {who}')],
    },
    { tasks, who: 'Ada' },
    'write send ',
    { parts: { 'word/footnotes.xml': ['', '', 'see Ada', 'see Ada'] } },
  ],
  [
    'a table in each row of a table',
    {
      body: `${table([[`${paragraph('{#groups}{name}')}${table([['{#tasks}{name}', 'x{/tasks}']]).replaceAll('4500', '1000')}<w:p/>`, 'y{/groups}']])}<w:p/>`,
    },
    {
      groups: [
        { name: 'A', tasks },
        { name: 'B', tasks: [] },
      ],
    },
    ['A', 'write', 'x', 'send', 'x', 'y', 'B', 'y'],
  ],
  [
    'a paragraph of conditions leaves no line',
    ['a', '{#no}x{/no}{^yes}y{/yes}', 'b'],
    { yes: true, no: false },
    ['a', 'b'],
  ],
]);
