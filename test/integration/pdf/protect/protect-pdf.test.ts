import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { protectPdf } from '../../../../src/worker/pdf/protect/protect-pdf.ts';
import type { Protection } from '../../../../src/worker/pdf/protect/protection.ts';
import { plainPdf } from '../../../support/documents/plain-pdf.ts';
import { failureOf, imagesOf, infoOf, page, textOf } from '../office/office-fixture.ts';
import { engines, useOffice } from '../office/pool-for-test.ts';

const run = promisify(execFile);
const small = plainPdf({ pages: ['one'] });
const unnumbered = (text: string): string => text.replace(/Object \d+ \d+/g, 'Object');
const rounded = (text: string): string => text.replace(/\d+\.\d+/g, (number) => Number(number).toFixed(2));
const protect = (pdf: Uint8Array, protection: Protection) => protectPdf(pdf, protection, { timeoutMs: 240_000 });

describe.each(engines)('a PDF of $name', ({ sofficePath }) => {
  const office = useOffice({ sofficePath });
  let plain: Uint8Array;
  const convert = async (docx: Uint8Array, pdf = {}): Promise<Uint8Array> =>
    (await office.pool.convert({ docx, pdf })).pdf;

  beforeAll(async () => {
    plain = await convert(page('secret words'));
  });

  test('with a password is encrypted with AES-256, and only the password opens it', async () => {
    const pdf = await protect(plain, { password: 'correct horse' });
    await expect(infoOf(pdf)).rejects.toThrow(/Incorrect password/);
    await expect(infoOf(pdf, '-upw', 'wrong')).rejects.toThrow(/Incorrect password/);
    expect(await infoOf(pdf, '-upw', 'correct horse')).toMatch(
      /Encrypted:\s+yes \(print:yes copy:yes change:yes addNotes:yes algorithm:AES-256\)/,
    );
    expect(await textOf(pdf, '-upw', 'correct horse')).toContain('secret words');
    expect(Buffer.from(pdf).toString('latin1')).not.toMatch(/secret words|correct horse/);
  });

  test.each(['пароль 密码', 'Grüße 12 €', '🔒🔑', 'x'.repeat(32)])('opens with the password %s', async (password) => {
    const pdf = await protect(plain, { password });
    expect(await textOf(pdf, '-upw', password)).toContain('secret words');
  });

  test('with permissions opens without a password, and readers see what they may do', async () => {
    const pdf = await protect(plain, {
      permissions: { printing: 'none', changes: 'none', copying: false },
    });
    expect(await infoOf(pdf)).toMatch(/Encrypted:\s+yes \(print:no copy:no change:no addNotes:no algorithm:AES-256\)/);
    expect(await textOf(pdf, '-upw', '')).toContain('secret words');
    const some = await protect(plain, { permissions: { copying: false } });
    expect(await infoOf(some)).toMatch(/print:yes copy:no change:yes addNotes:yes/);
  });

  test('keeps everything else: pages, tags, metadata, bookmarks, links, fonts and pictures', async () => {
    for (const name of ['invoice', 'report']) {
      const source = await convert(await readFile(`examples/${name}.docx`), { accessible: true });
      const pdf = await protect(source, { password: 'x' });
      const facts = (text: string) =>
        text.split('\n').filter((line) => !/^(Encrypted|File size|PDF version)/.test(line));
      expect(facts(await infoOf(pdf, '-upw', 'x'))).toEqual(facts(await infoOf(source)));
      expect(unnumbered(await infoOf(pdf, '-struct-text', '-upw', 'x'))).toBe(
        unnumbered(await infoOf(source, '-struct-text')),
      );
      expect(await infoOf(pdf, '-dests', '-url', '-upw', 'x')).toBe(await infoOf(source, '-dests', '-url'));
      expect(rounded(await textOf(pdf, '-bbox', '-upw', 'x'))).toBe(rounded(await textOf(source, '-bbox')));
      expect((await imagesOf(pdf, '-upw', 'x')).length).toBe((await imagesOf(source)).length);
    }
  });
});

test('two files of the same PDF share neither key nor salt', async () => {
  const [one, two] = await Promise.all([protect(small, { password: 'x' }), protect(small, { password: 'x' })]);
  const keyOf = (pdf: Uint8Array) => /\/U [<(].{20}/s.exec(Buffer.from(pdf).toString('latin1'))?.[0];
  expect(keyOf(one)).toBeDefined();
  expect(keyOf(one)).not.toBe(keyOf(two));
});

describe('a file that is not a PDF', () => {
  test.each([
    ['nothing at all', ''],
    ['another file', 'PK\u0003\u0004'],
    ['a truncated PDF', '%PDF-1.7\n1 0 obj\n<</Type/Catalog'],
  ])('is refused as the fault of the document: %s', async (_name, content) => {
    expect(await failureOf(protect(Buffer.from(content), { password: 'x' }))).toMatchObject({
      code: 'conversion_failed',
      message: 'The PDF of this document cannot be encrypted.',
    });
  });
});

test('a PDF that takes too long to encrypt loses its process', async () => {
  const failure = await failureOf(protectPdf(small, { password: 'x' }, { timeoutMs: 1 }));
  expect(failure).toMatchObject({ code: 'conversion_timeout', slotLost: true });
  await expect
    .poll(async () => (await run('ps', ['-eo', 'ppid,comm'])).stdout)
    .not.toMatch(new RegExp(`^\\s*${process.pid} docmill-protect`, 'm'));
});
