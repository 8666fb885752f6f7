import { describe, expect, it } from 'vitest';
import {
  defaultSyntax,
  earlierSyntax,
  parseDelimiters,
  type TemplateSyntax,
} from '../../../../src/shared/template-syntax.ts';
import type { RenderOptions } from '../../../../src/worker/docx/core/render/render-options.ts';
import { type DocxInput, paragraph, run } from '../../../support/documents/docx-builder.ts';
import { detailsOf, errorOf, inspect, render, type Template } from './fill.ts';

const fillAll: TemplateSyntax = { ...defaultSyntax, unlikelyTags: 'fill' };

function syntaxOf(delimiters: string): TemplateSyntax {
  return { ...defaultSyntax, ...parseDelimiters(delimiters) };
}

function print(template: Template, data: unknown, syntax = defaultSyntax, options: RenderOptions = {}): string {
  return render(template, data, { ...options, syntax }).text.trim();
}

function warningsOf(template: Template, syntax = defaultSyntax): string[] {
  return inspect(template, { syntax }).warnings.map(({ code, message }) => `${code}: ${message}`);
}

describe('delimiters', () => {
  it.each([
    ['{{ }}', '{{name}} {{#l}}{{.}}{{/l}} {x} }', 'Ada 12 {x} }'],
    ['<< >>', '<<name>> <<#l>><<. + 1>><</l>> {name} >> }{', 'Ada 23 {name} >> }{'],
    ['${ }', '${name} {name} $5 ${l[0]}', 'Ada {name} $5 1'],
    ['[[ ]]', '[[name]] [[l[1]]] a[0] ]', 'Ada 2 a[0] ]'],
    ['<% %>', '<%name%> <% l[0] %> 5 %', 'Ada 1 5 %'],
    ['{% %}', '{%name%} 100 %', 'Ada 100 %'],
    ['{{ }}', '{{x | default:"{none}"}} {{x | default:"a"}}', '{none} a'],
  ])('%s: %s', (delimiters, template, expected) => {
    expect(print(template, { name: 'Ada', l: [1, 2] }, syntaxOf(delimiters))).toBe(expected);
  });

  it('are reported where they are left open', () => {
    expect(detailsOf('<<name>> a << b', { syntax: syntaxOf('<< >>') })).toMatchObject([{ tag: '<<' }]);
  });

  it('may be split over runs, with any formatting inside', () => {
    const body = `<w:p>${run('{')}${run('{na')}${run('me}')}${run('} {n}')}</w:p>`;
    expect(print({ body }, { name: 'Ada' }, syntaxOf('{{ }}'))).toBe('Ada {n}');
  });

  it('are read in addresses, alternative texts and titles of checkboxes', () => {
    const checkbox =
      '<w:sdt><w:sdtPr><w:alias w:val="[[paid]]"/><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox></w:sdtPr>' +
      `<w:sdtContent>${run('☐')}</w:sdtContent></w:sdt>`;
    const link = `<w:hyperlink r:id="rIdL">${run('[[text]]')}</w:hyperlink>`;
    const input: DocxInput = {
      body: `<w:p>${link}${checkbox}</w:p>`,
      rels: [{ id: 'rIdL', type: 'hyperlink', target: 'https://a.example/%5B%5Bid%5D%5D', external: true }],
    };
    const { tags, warnings } = inspect(input, { syntax: syntaxOf('[[ ]]') });
    expect(tags).toEqual(['id', 'paid', 'text']);
    expect(warnings).toEqual([]);
    expect(print(input, { id: 1, text: 'here', paid: true }, syntaxOf('[[ ]]'))).toContain('☒');
  });

  it('appear in every message', () => {
    const syntax = syntaxOf('<< >>');
    expect(detailsOf('a {b} <<#items>>', { syntax })).toMatchObject([
      {
        message: 'In the body: the section <<#items>> is never closed.',
        tag: '<<#items>>',
        context: 'a {b} <<#items>>',
        hint: 'add <</items>> where it ends',
      },
    ]);
    expect(detailsOf('none {name}', { syntax })).toMatchObject([
      { hint: expect.stringContaining('without the field') },
    ]);
    const error = errorOf(() => print('<<name>>', {}, syntax, { onMissing: 'error' }));
    expect(error.details).toMatchObject([{ path: 'data.name', message: 'The value of <<name>> is missing.' }]);
    expect(print('<<name>>', {}, syntax, { onMissing: 'highlight' })).toBe('<<name>>');
  });

  it.each(['{{ }}', '<< >>', '${ }', '[[ ]]', '{ }', '{% %}', '<% %>', '{[ ]}'])('%s can be chosen', (text) => {
    const [open, close] = text.split(' ');
    expect(parseDelimiters(text)).toEqual({ open, close });
  });

  const unbalanced = ['', '{', '{}', '{ {', '%% %%', '{{ }} }}', '{{ >', '<<<<< >>>>>'];
  const ofText = ['< >', '( )', 'a b', '{# #}', '\\{ \\}', '“ ”'];
  it.each([...unbalanced, ...ofText])('%j cannot be chosen', (text) => expect(parseDelimiters(text)).toBeUndefined());
});

describe('braces in ordinary text', () => {
  it.each([
    ['\\{name} {name}', '{name} Ada'],
    ['\\{name\\} {name}', '{name} Ada'],
    ['a \\} b {name}', 'a } b Ada'],
    ['\\\\{name}', '\\Ada'],
    ['{x | default:"\\{\\}"}', '{}'],
    ['f\\{ {name} }', 'f{ Ada }'],
  ])('%s prints %s', (template, expected) => {
    expect(print(template, { name: 'Ada' })).toBe(expected);
  });

  it('may have their backslash in another run', () => {
    expect(print({ body: `<w:p>${run('\\')}${run('{a}')}${run('{b}')}</w:p>` }, { b: 1 })).toBe('{a}1');
  });

  it('cause a warning where the backslash may belong to a path', () => {
    expect(warningsOf('C:\\data\\{name} {x}')).toEqual([expect.stringContaining('escaped_brace: In "C:\\data')]);
    expect(warningsOf('write \\{name} {x}')).toEqual([]);
  });

  it.each([
    ['{6F9619FF-8B86-D011-B42D-00CF4FC964FF}', 'a GUID'],
    ['{1, 2, 3}', 'a set'],
    ['{a, b}', 'a set'],
    ['{x | x > 0}', 'a set'],
    ['{2}', 'a number'],
    ['{a;b}', 'code'],
    ['{ "id": 7 }', 'code'],
    ['{color: red}', 'code'],
    ['{int x = 5}', 'code'],
    ['{seq page \\* Arabic}', 'code'],
    ['{Read this. Then sign.}', 'a sentence'],
    ['{}', 'nothing'],
  ])('cause a warning and stay: %s is %s', (text, kind) => {
    const template = `${text.replaceAll('\\', '\\')} {name}`;
    expect(print(template, { name: 'Ada' })).toBe(`${text} Ada`);
    expect(warningsOf(template)).toEqual([
      expect.stringContaining(`text_in_braces: ${text} prints as it is, because it counts as ${kind}.`),
    ]);
    expect(detailsOf(text)).toMatchObject([
      { message: 'The template contains no tags.', hint: expect.stringContaining(kind) },
    ]);
  });

  it('stay as they are in code and JSON of several lines', () => {
    const lines = ['function f() {', '  return {', '"a": {"b": 1}', '};', '}', '{name}'];
    const body = lines.map((line) => paragraph(line)).join('');
    expect(print({ body }, { name: 'Ada' }).split('\n')).toEqual([...lines.slice(0, -1), 'Ada']);
    expect(inspect({ body }).tags).toEqual(['name']);
  });

  it.each(['{SQL Server}', '{see the table}', '{Paid?}', '{Total (EUR)}'])(
    'are a tag in %s, which prints as written without a value',
    (tag) => {
      const name = tag.slice(1, -1);
      expect(print(`${tag}.`, { [name]: 5 })).toBe('5.');
      expect(print(`${tag}.`, { [name]: null })).toBe('.');
      expect(print(`${tag}.`, {})).toBe(`${tag}.`);
      expect(warningsOf(tag)).toHaveLength(1);
    },
  );

  it.each(['{first name}', '{name}', '{a.b}', '{price * qty}', '{"text"}', '{#open items}x{/}', '{vip ? "a" : "b"}'])(
    'are a tag without a warning in %s',
    (tag) => expect(warningsOf(tag)).toEqual([]),
  );

  it('are tags if the upload says so, and in versions from before the option existed', () => {
    const template = '{6F9619FF-8B86-D011-B42D-00CF4FC964FF}{SQL Server}{2}.';
    for (const syntax of [fillAll, earlierSyntax]) {
      expect(print(template, { 2: 'two' }, syntax)).toBe('two.');
      expect(warningsOf(template, syntax)).toEqual([]);
    }
    expect(print('\\{name}', { name: 'Ada' }, earlierSyntax)).toBe('\\Ada');
    expect(print('\\{name} {name}', { name: 'Ada' }, fillAll)).toBe('{name} Ada');
  });
});
