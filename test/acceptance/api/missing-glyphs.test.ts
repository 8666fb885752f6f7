import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, nextOf } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { type Batch, ended, itemsOf } from '../batches/batch-client.ts';
import { formOf } from './form-bodies.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
/** Private-use characters of the last plane, which no Debian font has. */
const [first, second] = ['\u{10fff0}', '\u{10fff1}'];
const missing = {
  part: 'body',
  font: 'Carlito',
  context: `Dear Ada ${first}${second}`,
  characters: [
    { character: first, codePoint: 'U+10FFF0' },
    { character: second, codePoint: 'U+10FFF1' },
  ],
  paths: ['data.name'],
  count: 2,
};
const data = { name: `Ada ${first}${second}` };
let client: TestClient;
let templateId: string;

beforeAll(async () => {
  client = await newClient({ docs: 100 });
  templateId = (await client.template('letter.docx', letter('Dear {name}'))).id;
});

const docsLeft = async () => (await client.quotas()).remaining.total.docs;
const upload = async (file: Uint8Array) =>
  (await client.upload('letter.docx', file)).json<{ readonly warnings: readonly { readonly code: string }[] }>();
const jobOf = async (answer: Answer) =>
  (await client.call('GET', `/v1/jobs/${answer.headers.get('Document-Id')}`)).json<Record<string, unknown>>();

describe('characters that no font has', () => {
  test('are reported as a warning of the document and its job', async () => {
    const before = await docsLeft();
    const answer = await client.generate(templateId, { data, output: { format: 'pdf' } });
    expect([answer.status, answer.headers.get('Warnings')]).toEqual([200, '1']);
    expect(await docsLeft()).toBe(before - 1);
    expect((await jobOf(answer)).warnings).toEqual([
      expect.objectContaining({ code: 'missing_glyph', message: expect.stringContaining('U+10FFF1'), ...missing }),
    ]);
  });

  test('are refused free of charge when the request asks for it', async () => {
    const before = await docsLeft();
    const answer = await client.generate(templateId, { data, output: { format: 'pdf', onMissingGlyph: 'error' } });
    const problem = expectProblem(answer, 400, 'No installed font has some characters of the document');
    expect(answer.headers.get('Error-Code')).toBe('missing_glyph');
    expect(problem.details).toEqual([expect.objectContaining({ type: 'Message', ...missing })]);
    expect(await jobOf(answer)).toMatchObject({ status: 'failed', error: problem });
    expect(await docsLeft()).toBe(before);
    const fine = { data: { name: 'Ada 李明 😀' }, output: { format: 'pdf', onMissingGlyph: 'error' } };
    const printed = await client.generate(templateId, fine);
    expect([printed.status, printed.headers.get('Warnings')]).toEqual([200, null]);
  });

  test('fail only their row of a batch, and a row may choose for itself', async () => {
    const items = [{ data }, { data: { name: 'Bob' } }, { data, output: { onMissingGlyph: 'warn' } }];
    const output = { format: 'pdf', onMissingGlyph: 'error' };
    const path = `/v1/templates/${templateId}/batches`;
    const { id } = (await client.call('POST', path, { json: { items, output, bundle: 'none' } })).json<Batch>();
    expect(await ended(client, id)).toMatchObject({ counts: { succeeded: 2, failed: 1 } });
    const [failed] = await itemsOf(client, id, '?status=failed');
    expect(failed).toMatchObject({ row: 1, error: { status: 400, details: [missing] } });
    const csv = { body: `name\n${data.name}\n`, headers: { 'Content-Type': 'text/csv' } };
    const streamed = await client.call('POST', `${path}?format=pdf&bundle=none&onMissingGlyph=error`, csv);
    expect(await ended(client, streamed.json<Batch>().id)).toMatchObject({ counts: { succeeded: 0, failed: 1 } });
  });
});

describe('a template with characters that no font has', () => {
  const file = () => letter(`${first} {name}`);

  test('is stored, with a warning that names the location', async () => {
    const uploaded = await upload(file());
    const warning = {
      code: 'missing_glyph',
      message: expect.stringContaining('U+10FFF0'),
      part: 'body',
      count: 1,
    };
    expect(uploaded).toMatchObject({ warnings: [warning] });
    const validated = await client.call('POST', '/v1/templates/validate', {
      body: formOf([['file', file(), 'a.docx']]),
    });
    expect(validated.json()).toMatchObject({ warnings: [warning] });
    expect((await upload(letter('李 {name}'))).warnings).toEqual([]);
  });
});

interface Font {
  readonly name: string;
  readonly scope: string;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly workers: number;
  readonly complete: boolean;
}

describe('the list of fonts', () => {
  const list = async (query = '') => (await client.call('GET', `/v1/fonts${query}`)).json<Font[]>();

  test('lists the families of all workers by name, with the scripts that they cover', async () => {
    const fonts = await list('?limit=1000');
    const names = fonts.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    const carlito = fonts.find(({ name }) => name === 'Carlito');
    expect(carlito).toMatchObject({
      scope: 'installed',
      styles: ['Bold', 'Bold Italic', 'Italic', 'Regular'],
      scripts: ['Cyrl', 'Grek', 'Latn'],
      version: expect.stringMatching(/^\d/),
      complete: true,
    });
    expect(carlito?.workers).toBeGreaterThan(0);
    const scripts = new Set(fonts.flatMap((font) => font.scripts));
    expect([...scripts]).toEqual(
      expect.arrayContaining(['Arab', 'Deva', 'Hans', 'Hant', 'Hebr', 'Jpan', 'Kore', 'Latn', 'Thai', 'Zsye']),
    );
  });

  test('can be searched by name and script', async () => {
    expect((await list('?name=carl')).map(({ name }) => name)).toEqual(['Carlito']);
    const thai = await list('?script=Thai');
    expect(thai.length).toBeGreaterThan(0);
    for (const { scripts } of thai) expect(scripts).toContain('Thai');
  });

  test('is returned page by page', async () => {
    const all = (await list('?name=n&limit=1000')).map(({ name }) => name);
    const seen: string[] = [];
    for (let next: string | undefined = '/v1/fonts?name=n&limit=7'; next !== undefined; ) {
      const answer = await client.call('GET', next);
      seen.push(...answer.json<Font[]>().map(({ name }) => name));
      next = nextOf(answer);
    }
    expect(seen).toEqual(all);
    expectProblem(await client.call('GET', '/v1/fonts?cursor=%25'), 400, /is not a cursor of this list/);
  });
});
