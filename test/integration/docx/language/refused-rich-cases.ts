import { paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { base64, png } from '../../../unit/docx/pictures/samples.ts';
import { refusedData, refusedTemplates } from './language-case.ts';

const link = (text: string) => `<w:hyperlink r:id="rIdL">${run(text)}</w:hyperlink>`;
const rels = [{ id: 'rIdL', type: 'hyperlink', target: 'https://e.example/', external: true }];
const checkbox = (title: string) =>
  `<w:p><w:sdt><w:sdtPr><w:alias w:val="${title}"/><w14:checkbox/></w:sdtPr><w:sdtContent><w:r><w:t>☐</w:t></w:r></w:sdtContent></w:sdt></w:p>`;
const cross = table([['a', '{|months}{name}']]);

export const refusedRichTemplateCases = refusedTemplates([
  ['a barcode without its kind', '{%barcode code}', { message: /kind of barcode is missing/, hint: /ean13/ }],
  ['a barcode that is not there', '{%barcode code "ean14"}', { message: /no barcode "ean14"/, hint: /"ean1?\d"/ }],
  ['a picture without a name', '{%}', { message: /name is missing/ }],
  ['a width that is none', '{%logo | width:"wide"}', { message: /its width/ }],
  ['a centred picture within text', 'a {%%logo}', { message: /is not alone/, hint: /one %/ }],
  ['a column outside of a table', '{|months}x', { message: /outside the cells of a table/ }],
  [
    'two tags for one column',
    { body: table([['{|a}x'], ['{|b}y']]) + paragraph('') },
    { message: /another column tag/ },
  ],
  [
    'a section that leaves a link',
    { body: `<w:p>${run('{#a}')}${link('{.}{/a}')}</w:p>`, rels },
    { message: /\{#a\} has one of its tags inside a link/, tag: '{#a}', hint: /both outside/ },
  ],
  [
    'a section that enters a tracked change',
    { body: `<w:p>${run('{#a}x')}<w:ins w:id="1" w:author="A">${run('{/a}')}</w:ins></w:p>` },
    { message: /inside a tracked change/, hint: /accept or reject/ },
  ],
  [
    'a checkbox with a section',
    { body: checkbox('{#paid}') + paragraph('{a}') },
    { message: /a checkbox takes a name or an expression/ },
  ],
  ['a formatter after link', '{name | link:url | upper}', { message: /link/ }],
]);

export const refusedRichDataCases = refusedData([
  ['a picture by its address', '{%logo}', { logo: 'https://example.com/x.png' }, [{ path: 'data.logo', message: /./ }]],
  ['a picture that is none', '{%logo}', { logo: base64('hello') }, [{ path: 'data.logo', message: /./ }]],
  [
    'a picture that was cut off',
    '{%logo}',
    { logo: base64(png({ width: 9, height: 9 }).subarray(0, 20)) },
    [{ path: 'data.logo', message: /./ }],
  ],
  [
    'a drawing that reaches outside',
    '{%logo}',
    {
      logo: base64(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="http://127.0.0.1/"/></svg>',
      ),
    },
    [{ path: 'data.logo', message: /outside of it/ }],
  ],
  [
    'a width that is too large',
    '{%logo}',
    { logo: { data: base64(png({ width: 9, height: 9 })), width: '5km' } },
    [{ path: 'data.logo.width', message: /./ }],
  ],
  [
    'an asset that does not exist',
    '{%logo}',
    { logo: { asset: 'gone.png' } },
    [{ path: 'data.logo.asset', message: /does not exist/ }],
  ],
  ['a wrong check digit', '{%barcode code "ean13"}', { code: '4006381333932' }, [{ path: 'data.code', message: /./ }]],
  ['a QR code of too much', '{%qr text}', { text: 'ä'.repeat(3_000) }, [{ path: 'data.text', message: /./ }]],
  ['an object for HTML', '{~html}', { html: { a: 1 } }, [{ path: 'data.html', message: /object/ }]],
  ['HTML with a control character', '{~html}', { html: '<p>\u0001</p>' }, [{ path: 'data.html', message: /U\+0001/ }]],
  ['HTML that is nested too deep', '{~html}', { html: '<b>'.repeat(200) }, [{ path: 'data.html', message: /./ }]],
  [
    'an address that acts',
    '{name | link:url}',
    { name: 'x', url: 'javascript:alert(1)' },
    [{ path: 'data.url', message: /http/ }],
  ],
  [
    'more columns than Word opens',
    { body: cross + paragraph('') },
    { months: Array.from({ length: 63 }, () => ({ name: 'x' })) },
    [{ path: 'data.months', message: /63/ }],
  ],
  [
    'a picture that is missing in a row',
    { body: table([['{#items}{%photo}', 'x{/items}']]) + paragraph('') },
    { items: [{ photo: null }, {}] },
    [{ path: 'data.items[1].photo', message: /missing/ }],
    { onMissing: 'error' },
  ],
]);
