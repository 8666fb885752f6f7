import { describe, expect, it } from 'vitest';
import { run } from '../../../support/documents/docx-builder.ts';
import { detailsOf, fillText } from './fill.ts';

const data = {
  name: 'Ada',
  'first-name': 'Grace',
  items: [1, 2],
  الاسم: 'سارة',
  'a-b': 'x',
  'first name': 'Hopper',
  'last\u00a0name': 'Byron',
  'نام\u200cها': 'joined',
};
const text = (xml: string) => fillText({ body: `<w:p>${xml}</w:p>` }, data);

describe('tags with invisible characters', () => {
  it.each([
    ['a hyphen that does not break', '<w:r><w:t>{first</w:t><w:noBreakHyphen/><w:t>name}</w:t></w:r>', 'Grace'],
    ['the same as a character', run('{first\u2011name}'), 'Grace'],
    ['a hyphen in a section', `${run('{#a')}<w:r><w:noBreakHyphen/></w:r>${run('b}y{/a\u2011b}')}`, 'y'],
    ['soft hyphens', run('{na\u00adme}'), 'Ada'],
    ['marks of direction', run('{\u200fالاسم\u200e} {\u2067name\u2069}'), 'سارة Ada'],
    ['spaces without width', run('{\ufeffname\u200b}'), 'Ada'],
    ['spaces that do not break', run('{\u00a0first\u202fname\u2003}'), 'Hopper'],
    ['joiners in Latin letters', run('{na\u200cme}'), 'Ada'],
    ['joiners in Persian names', run('{نام\u200cها}'), 'joined'],
    ['soft hyphens beside quoted text', run('{na\u00adme | default:"\u00a0"}'), 'Ada'],
    ['a space that does not break in the data', run('{last name}'), 'Byron'],
    ['spaces without width between the pieces of a tag', `${run('{na')}${run('\u200b')}${run('me}')}`, 'Ada'],
  ])('%s', (_, xml, expected) => {
    expect(text(xml)).toBe(expected);
  });

  it('keep them outside tags and in quoted strings', () => {
    const around = `${run('a\u00adb\u200f')}<w:r><w:noBreakHyphen/></w:r>`;
    expect(text(around + run('{name}'))).toBe('a\u00adb\u200fAda');
    expect(text(run('{items | join:"\u2011"}{name + “\u200f”}'))).toBe('1\u20112Ada\u200f');
  });

  it('are reported as Word displays them', () => {
    expect(detailsOf('{#a\u200b}')).toMatchObject([{ tag: '{#a}' }]);
  });
});

it.each([
  ['references', '<w:r><w:t>&#123;name&#x7D; &#x7b;items.0&#125;</w:t></w:r>', 'Ada 1'],
  ['CDATA', '<w:r><w:t><![CDATA[<{name}> & co]]></w:t></w:r>', '<Ada> & co'],
  ['a comment inside a tag', '<w:r><w:t>{na<!-- {#x} -->me}</w:t></w:r>', 'Ada'],
  ['a comment with tags', '<!-- <w:r><w:t>{#gone}</w:t></w:r> --><w:r><w:t>{name}</w:t></w:r>', 'Ada'],
  ['a processing instruction', '<w:r><w:t>{<?x <w:t>{y}</w:t>?>name}</w:t></w:r>', 'Ada'],
  ['a sign in an attribute', '<w:r w:rsidR="a>b>"><w:t xml:space=\'pre>{x}\'>{name}</w:t></w:r>', 'Ada'],
])('tags that a generator wrote as equivalent XML: %s', (_, xml, expected) => {
  expect(text(xml)).toBe(expected);
});

describe('tabs and line breaks in tags', () => {
  const tab = '<w:r><w:tab/></w:r>';
  const lineBreak = '<w:r><w:br/></w:r>';

  it.each([
    ['a tab in a formula', `${run('{items.0')}${tab}${run('+ items.1}')}`, '3'],
    ['a line break between words of a formula', `${run('{#name and')}${lineBreak}${run('not none}yes{/}')}`, 'yes'],
    ['a line break before a formatter', `${run('{name')}${lineBreak}${run('| upper}')}`, 'ADA'],
    ['a line break in a quoted text', `${run('{name + "a')}${lineBreak}${run('b"}')}`, 'Adaa b'],
    ['a tab at the edges', `${run('{')}${tab}${run('name')}${tab}${run('}!')}`, 'Ada!'],
    ['a tab between tags', `${run('{name}')}${tab}${run('{name}')}`, 'Ada\tAda'],
  ])('%s', (_, xml, expected) => {
    expect(text(xml)).toBe(expected);
  });

  const details = (xml: string) => detailsOf({ body: `<w:p>${xml}</w:p>` });

  it.each([
    [`${run('{na')}${tab}${run('me}')}`, '{na me}'],
    [`${run('{#it')}${lineBreak}${run('ems}{/}')}`, '{#it ems}'],
    [`${run('{~na')}${tab}${run('me | trim}')}`, '{~na me | trim}'],
  ])('are refused if they split a name: %s', (xml, tag) => {
    const message = `In the body: the tag ${tag} is not valid: a tab or a line break splits its name.`;
    expect(details(xml)).toMatchObject([{ message, tag }]);
  });

  it('are reported if the tag is not closed before them', () => {
    expect(details(`${run('{name')}${tab}${run('more')}`)).toMatchObject([
      { tag: '{name', context: '{name more', hint: 'close it before the tab or the line break' },
    ]);
    expect(details(`${run('a')}${tab}${run('name}')}`)).toMatchObject([{ tag: 'name}' }]);
    expect(details(run('{name more'))).toMatchObject([{ hint: expect.stringContaining('write the closing brace') }]);
  });
});
