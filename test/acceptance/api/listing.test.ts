import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { TemplateMetadata } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const names = ['alpha.docx', 'Beta_1.docx', '100%.docx', 'Ärger.docx', 'alphabet.docx', 'omega.docx', 'BETA 2.docx'];
let client: TestClient;

beforeAll(async () => {
  client = await newClient();
  for (const name of names) await client.template(name, letter('{x}'));
});

const list = async (query: string) => (await client.call('GET', `/v1/templates${query}`)).json<TemplateMetadata[]>();
const namesOf = (page: readonly TemplateMetadata[]) => page.map(({ name }) => name);

describe('paging', () => {
  test.each([1, 3, 7])('pages of %i list every template once, newest first', async (limit) => {
    const seen: string[] = [];
    let next: string | undefined = `/v1/templates?limit=${limit}`;
    while (next !== undefined) {
      const answer = await client.call('GET', next);
      const page = answer.json<TemplateMetadata[]>();
      expect(page.length).toBeGreaterThan(0);
      expect(page.length).toBeLessThanOrEqual(limit);
      seen.push(...namesOf(page));
      const link = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('Link') ?? '')?.[1];
      expect(link === undefined).toBe(seen.length === names.length);
      if (link !== undefined) expect(link.startsWith(`${client.url}/v1/templates?`)).toBe(true);
      next = link?.slice(client.url.length);
    }
    expect(seen).toEqual(names.toReversed());
  });
});

test.each([
  ['?name=ALPHA', ['alphabet.docx', 'alpha.docx']],
  ['?name=%25', ['100%.docx']],
  ['?name=_', ['Beta_1.docx']],
  ['?name=%C3%A4rg', ['Ärger.docx']],
  ["?name=';--", []],
  ['?name=%5C', []],
])('%s finds %j', async (query, found) => {
  expect(namesOf(await list(query))).toEqual(found);
});

test('a cursor of another account reveals nothing of that account', async () => {
  const answer = await client.call('GET', '/v1/templates?limit=1');
  const cursor = /cursor=([^>&]+)/.exec(answer.headers.get('Link') ?? '')?.[1];
  const other = await newClient();
  expect((await other.call('GET', `/v1/templates?cursor=${cursor}`)).json()).toEqual([]);
});
