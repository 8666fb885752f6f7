import { describe, expect, it, vi } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { bytesOf, detailsOf, errorOf, fillText } from './fill.ts';

vi.setConfig({ testTimeout: 30_000 });
const nested = (depth: number) => `${'{#a}'.repeat(depth)}x${'{/a}'.repeat(depth)}`;

function limitError(template: string, data: unknown) {
  const prepared = prepareTemplate(bytesOf(template), 'docx');
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  return errorOf(() => renderTemplate(prepared, Buffer.from(json)));
}

describe('templates that cost too much', () => {
  it.each([
    ['nine sections inside one another', paragraph(nested(9)), 'at most 8 sections inside one another are allowed'],
    ['thirty sections, 2^30 repetitions', paragraph(nested(30)), 'at most 8 sections inside one another are allowed'],
    ['3000 sections inside one another', paragraph(nested(3000)), 'at most 8 sections inside one another are allowed'],
    ['20 001 tags', paragraph('{x}'.repeat(20_001)), 'The template contains more than 20000 tags.'],
    ['5000 tags that are not closed', paragraph('{x '.repeat(5_000)), 'has no closing brace'],
    ['5000 tags that are not opened', paragraph('x} '.repeat(5_000)), 'has no opening brace'],
    ['5000 sections that are not closed', paragraph('{#x}'.repeat(5_000)), 'is never closed'],
    ['a tag split over 100 001 runs', paragraph(['{na', ...Array(100_001).fill('m'), 'e}']), 'elements of formatting'],
    ['a tag among 17 MB of text', paragraph(`{name}${'x'.repeat(17 * 1024 * 1024)}`), 'characters of XML'],
  ])('%s', (_name, body, message) => {
    const details = detailsOf({ body, compression: 'store' });
    expect(details[0]?.message).toContain(message);
    expect(details.length).toBeLessThanOrEqual(50);
  });

  it('eight nested sections and 19 999 tags are accepted', () => {
    expect(fillText(nested(8), { a: [1, 1] })).toBe('x'.repeat(256));
    expect(fillText('{x}'.repeat(19_999), { x: 1 })).toBe('1'.repeat(19_999));
  });

  it('text without tags does not count', () => {
    const body = paragraph('static').repeat(30_000) + paragraph('{name}');
    expect(fillText({ body }, { name: 'Ada' }).split('\n')).toHaveLength(30_001);
  });
});

describe('data that makes a document too large', () => {
  const list = (length: number) => Array.from({ length }, () => 1);

  const repeats = 'The sections of the document repeat more than 200000 times in all';
  const large = 'The document becomes larger than 64 MB of XML';
  const megabyte = 1_000_000;

  it('is accepted up to 60 MB', () => {
    const prepared = prepareTemplate(bytesOf('{#a}{v}{/a}'), 'pdf');
    const data = Buffer.from(JSON.stringify({ a: list(60), v: 'x'.repeat(megabyte) }));
    expect(renderTemplate(prepared, data).file.length).toBeGreaterThan(60 * megabyte);
  });

  it.each([
    ['30^8 repetitions', nested(8), { a: list(30) }, repeats, '{a}'],
    ['10 000 times 10 000 repetitions', '{#a}{#a}x{/a}{/a}', { a: list(10_000) }, repeats, '{a}'],
    ['a value of 1 MB, 70 times', '{#a}{v}{/a}', { a: list(70), v: 'x'.repeat(megabyte) }, large, '{v}'],
    ['a value that grows when it is escaped', '{#a}{v}{/a}', { a: list(14), v: '&'.repeat(megabyte) }, large, '{v}'],
    ['text of three bytes a character', '{#a}{v}{/a}', { a: list(23), v: '漢'.repeat(megabyte) }, large],
    [
      '1000 tags in a section of 2001 items',
      `{#a}${'{x}'.repeat(1_000)}{/a}`,
      { a: list(2_001) },
      'The document looks up more than 2000000 values',
      '{x}',
    ],
  ])('%s', (_, template, data, message, tag?: string) => {
    const error = limitError(template, data);
    expect(error).toMatchObject({ code: 'render_limit', status: 400, retry: false, message });
    expect(error.details?.[0]).toMatchObject(tag === undefined ? {} : { type: 'Message', tag });
  });

  it('more than a million values', () => {
    const error = limitError('{x}', `{"a":[${'[],'.repeat(1_000_000)}[]]}`);
    expect(error.code).toBe('data_invalid');
    expect(error.details?.[0]).toMatchObject({ path: 'data', message: 'The data holds more than 1000000 values.' });
  });

  it('leaves the template unchanged', () => {
    const prepared = prepareTemplate(buildDocx({ body: table([['{#a}{v}', '{/a}']]) }), 'docx');
    const good = () => renderTemplate(prepared, Buffer.from('{"a":[{"v":1},{"v":2}]}')).file;
    const before = good();
    errorOf(() => renderTemplate(prepared, Buffer.from(JSON.stringify({ a: list(200_001) }))));
    errorOf(() => renderTemplate(prepared, Buffer.from('{"a":[{"v":{}}]}')));
    expect(good().equals(before)).toBe(true);
  });
});
