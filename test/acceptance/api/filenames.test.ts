import { beforeAll, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('Angebot für Kunden.docx', letter('{x}'))).id;
});

/** Both names of the header, decoded according to RFC 6266 and RFC 8187. */
function parseDisposition(header: string | null): { readonly plain: string; readonly full: string } {
  const match = /^attachment; filename="([\x20-\x21\x23-\x5b\x5d-\x7e]*)"; filename\*=UTF-8''([\w!#$&+^`|~.%-]+)$/.exec(
    header ?? '',
  );
  expect(match, `not a valid header: ${header}`).not.toBeNull();
  return { plain: match?.[1] ?? '', full: decodeURIComponent(match?.[2] ?? '') };
}

async function nameOf(output: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await client.generate(id, { data: {}, output });
  expect(answer.status).toBe(200);
  const { plain, full } = parseDisposition(answer.headers.get('Content-Disposition'));
  const extension = output.format === 'pdf' ? '.pdf' : '.docx';
  expect(plain.endsWith(extension)).toBe(true);
  expect(full.endsWith(extension)).toBe(true);
  expect(Buffer.byteLength(full)).toBeLessThanOrEqual(150);
  expect(full).toMatch(/^[^\p{Cc}/\\"<>|:*?\u202a-\u202e\u2066-\u2069]+$/u);
  return full;
}

test('the default name is that of the template, with the extension of the format', async () => {
  expect(await nameOf({})).toBe('Angebot für Kunden.docx');
  expect(await nameOf({ format: 'pdf' })).toBe('Angebot für Kunden.pdf');
});

test('the default name follows a rename of the template', async () => {
  const other = await client.template('before.docx', letter('{x}'));
  await client.call('PUT', `/v1/templates/${other.id}`, { json: { name: 'after.DOCX' } });
  const answer = await client.generate(other.id, { data: {}, output: { format: 'pdf' } });
  expect(parseDisposition(answer.headers.get('Content-Disposition')).full).toBe('after.pdf');
});

test.each([
  ['offer', 'offer.docx'],
  ['offer.docx', 'offer.docx'],
  ['offer.DOCX', 'offer.docx'],
  ['offer.pdf', 'offer.pdf.docx'],
  ['offer 2026.11', 'offer 2026.11.docx'],
  ['Ünïcödé 見積 😀', 'Ünïcödé 見積 😀.docx'],
  ["it's 100% (final); v=1, a=b", "it's 100% (final); v=1, a=b.docx"],
  ['../../etc/passwd', 'passwd.docx'],
  ['C:\\Windows\\system32\\evil.exe', 'evil.exe.docx'],
  ['a/b/', 'document.docx'],
  ['..', 'document.docx'],
  ['...', 'document.docx'],
  ['.docx', 'document.docx'],
  [' . . ', 'document.docx'],
  ['.hidden', 'hidden.docx'],
  ['trailing. . ', 'trailing.docx'],
  ['CON', '_CON.docx'],
  ['nul.txt', '_nul.txt.docx'],
  ['a"; filename="evil.exe', 'a; filename=evil.exe.docx'],
  ['a\r\nSet-Cookie: x=1', 'aSet-Cookie x=1.docx'],
  ['a\0b\x7fc\u0085d', 'abcd.docx'],
  ['exe.\u202efdp', 'exe.fdp.docx'],
  ['a\ud800b', 'a\ufffdb.docx'],
  ['<script>|*?:', 'script.docx'],
  ['%2e%2e%2fpasswd', '%2e%2e%2fpasswd.docx'],
  ["UTF-8''%41", "UTF-8''%41.docx"],
  ['x'.repeat(1_000), `${'x'.repeat(145)}.docx`],
  ['é'.repeat(500), `${'é'.repeat(72)}.docx`],
  ['😀'.repeat(200), `${'😀'.repeat(36)}.docx`],
])('%.30j becomes %.30j', async (wanted, name) => {
  expect(await nameOf({ filename: wanted })).toBe(name);
});

test('a PDF gets the extension .pdf', async () => {
  expect(await nameOf({ format: 'pdf', filename: 'offer' })).toBe('offer.pdf');
  expect(await nameOf({ format: 'pdf', filename: 'offer.PDF' })).toBe('offer.pdf');
  expect(await nameOf({ format: 'pdf', filename: 'offer.docx' })).toBe('offer.docx.pdf');
});
