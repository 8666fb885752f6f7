import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FontsDigest } from '../../../../src/worker/pdf/office/fonts-digest.ts';

let folder = '';
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonts-'));
  for (const name of ['a', 'b']) await writeFile(file(name), `font ${name}`);
});
afterAll(() => rm(folder, { recursive: true }));

it('the digest covers the contents, and does not depend on the names and the order of the files', async () => {
  const [one, two] = [new FontsDigest(), new FontsDigest()];
  const before = await one.of([file('a'), file('b')]);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(await two.of([file('b'), file('a'), file('a')])).toBe(before);
  expect(await one.of([file('a')])).not.toBe(before);
  await rename(file('b'), file('c'));
  expect(await one.of([file('a'), file('b'), file('c')])).toBe(before);
  await writeFile(file('c'), 'font d');
  expect(await one.of([file('a'), file('c')])).not.toBe(before);
});
