import { describe, expect, it } from 'vitest';
import { inspectTemplate } from '../../../src/worker/docx/inspect/inspect-template.ts';
import { buildDocx, run } from '../../support/docx-builder.ts';
import { fillText } from './fill.ts';

const data = { name: 'Ada', 'first-name': 'Grace', items: [1, 2], الاسم: 'سارة', 'a-b': 'x' };
const text = (xml: string) => fillText({ body: `<w:p>${xml}</w:p>` }, data);

describe('tags with what nobody sees', () => {
  it.each([
    ['a hyphen that does not break', '<w:r><w:t>{first</w:t><w:noBreakHyphen/><w:t>name}</w:t></w:r>', 'Grace'],
    ['the same as a character', run('{first\u2011name}'), 'Grace'],
    ['a hyphen in a section', `${run('{#a')}<w:r><w:noBreakHyphen/></w:r>${run('b}y{/a\u2011b}')}`, 'y'],
    ['soft hyphens', run('{na\u00adme}'), 'Ada'],
    ['marks of direction', run('{\u200fالاسم\u200e} {\u2067name\u2069}'), 'سارة Ada'],
    ['spaces without width', run('{\ufeffname\u200b}'), 'Ada'],
    ['spaces without width between the pieces of a tag', `${run('{na')}${run('\u200b')}${run('me}')}`, 'Ada'],
  ])('%s', (_, xml, expected) => {
    expect(text(xml)).toBe(expected);
  });

  it('keep it outside of tags and in the texts that they quote', () => {
    const around = `${run('a\u00adb\u200f')}<w:r><w:noBreakHyphen/></w:r>`;
    expect(text(around + run('{name}'))).toBe('a\u00adb\u200fAda');
    expect(text(run('{items | join:"\u2011"}{name + “\u200f”}'))).toBe('1\u20112Ada\u200f');
  });

  it('are told as they are seen', () => {
    const template = buildDocx({ body: `<w:p>${run('{#a\u200b}')}</w:p>` });
    expect(() => inspectTemplate(template)).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ tag: '{#a}' })] }),
    );
  });
});

describe('tags that a generator wrote in other words', () => {
  it.each([
    ['references', '<w:r><w:t>&#123;name&#x7D; &#x7b;items.0&#125;</w:t></w:r>', 'Ada 1'],
    ['CDATA', '<w:r><w:t><![CDATA[<{name}> & co]]></w:t></w:r>', '<Ada> & co'],
  ])('%s', (_, xml, expected) => {
    expect(text(xml)).toBe(expected);
  });
});
