import { readFileSync, writeFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { useFolder } from '../../support/folder.ts';
import { cliEnv, runCli, startDev } from './run-cli.ts';

const { newClient, url } = await useService(inject('stack'));
const root = useFolder();

const letter = (...paragraphs: readonly string[]): Buffer =>
  buildDocx({ body: paragraphs.map((text) => paragraph(text)).join('') });

/** Replaces what differs in each session: times, ports, tokens, paths and the number of differing pixels. */
function settle(text: string): string {
  return text
    .replaceAll(root.path, '/home/ada')
    .replaceAll(url, 'https://docmill.example.com')
    .replace(/^\d\d:\d\d:\d\d/gm, '10:15:00')
    .replace(/\d+ ms/g, '400 ms')
    .replace(/\d+ pixels differ \([\d.]+ %\)/g, '85 pixels differ (0.010 %)')
    .replace(/127\.0\.0\.1:\d+\/\?token=[\w-]+/g, '127.0.0.1:43667/?token=ppu5RzenqzhQt2uKwDq4pW2GvdJkNtww');
}

/** Compares a session with the recording in a document. UPDATE_RECORDINGS=1 writes it there instead. */
function expectRecorded(document: string, name: string, session: string): void {
  const page = readFileSync(document, 'utf8');
  const block = new RegExp(`(<!-- recorded: ${name} -->\n\`\`\`text\n)(.*?)(\`\`\`\n)`, 's');
  expect(page).toMatch(block);
  const settled = settle(session);
  if (process.env.UPDATE_RECORDINGS === '1') {
    writeFileSync(
      document,
      page.replace(block, (_, head: string, _old: string, end: string) => head + settled + end),
    );
  } else expect(block.exec(page)?.[2]).toBe(settled);
}

test('the recording of docmill dev is what it prints', async () => {
  const { apiKey } = await newClient({ docs: 0, templates: 0 });
  root.write('letters/letter.docx', letter('Dear {name},'));
  root.write('letters/letter.json', '{"name": "Ada"}\n');
  const dev = await startDev(root.at('letters'), { url, apiKey });
  // An open page makes the command render its case, as a browser does.
  const { headers } = await fetch(dev.address);
  const cookie = headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const browser = new AbortController();
  const stream = await fetch(`${dev.origin}/events`, { headers: { cookie }, signal: browser.signal });
  const read = stream.text().catch(() => '');
  const outcomes = (): number => dev.stdout().match(/^\d\d:\d\d:\d\d/gm)?.length ?? 0;
  await expect.poll(outcomes).toBe(1);
  root.write('letters/letter.docx', letter('Dear {name | upercase},'));
  await expect.poll(outcomes).toBe(2);
  root.write('letters/letter.docx', letter('Dear {name | upper} of {city},'));
  await expect.poll(outcomes).toBe(3);
  root.write('letters/letter.json', '{"name": "Ada" "city": "London"}\n');
  await expect.poll(outcomes).toBe(4);
  root.write('letters/letter.json', '{"name": "Ada", "city": "London"}\n');
  await expect.poll(outcomes).toBe(5);
  browser.abort();
  await read;
  dev.interrupt();
  expect((await dev.ended).exitCode).toBe(0);
  const session = `$ docmill dev letters\n${dev.stdout()}^C\n`;
  expectRecorded('docs/guides/developing-templates.md', 'dev', session);
});

test('the recording of docmill test is what it prints', async () => {
  const { apiKey } = await newClient({ docs: 0, templates: 1 });
  let session = '';
  const type = async (line: string): Promise<void> => {
    const run = { cwd: root.at('project'), env: cliEnv(root.path, { url, apiKey }) };
    const { stdout, stderr, exitCode } = await runCli(line, run);
    session += `$ docmill ${line}\n${stdout}${stderr}`;
    if (exitCode !== 0) session += `$ echo $?\n${exitCode}\n`;
  };
  root.write('project/docmill.json', '{}');
  root.write('project/templates/invoice.docx', letter('Invoice {number}', 'Total {total | number:2}'));
  root.write('project/cases/invoice/plain.json', '{"number": "2026-114", "total": 1250.5}\n');
  await type('test --update');
  await type('test');
  session += '# The format of the total is changed.\n';
  root.write('project/templates/invoice.docx', letter('Invoice {number}', 'Total {total | number:0}'));
  await type('test');
  expectRecorded('docs/guides/testing-templates.md', 'test', session);
});
