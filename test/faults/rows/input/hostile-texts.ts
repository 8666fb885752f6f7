import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { docxText } from '../../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import type { Answer, Client } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import type { Harness } from '../../harness/harness.ts';
import { deliveryIdOf } from '../../harness/sink.ts';
import { expect, expectEqual } from '../../harness/until.ts';
import type { Row } from '../../row.ts';
import { naughtyTexts } from './naughty-texts.ts';

const unsafeInNames = /[\p{Cc}\p{Cs}/\\"<>|:*?\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/u;
const json = { 'Content-Type': 'application/json' };

/** Characters that XML 1.0 excludes, except lone surrogates. */
function isExcluded(char: string): boolean {
  return (char < ' ' && !'\t\n\r'.includes(char)) || char === '\ufffe' || char === '\uffff';
}

function shown(text: string): string {
  return JSON.stringify(text).slice(0, 60);
}

function is400(answer: Answer, code: string): boolean {
  return answer.status === 400 && answer.headers.get('Error-Code') === code;
}

/** Text that XML allows is printed unchanged; each line end is one line break, a lone surrogate is U+FFFD. */
async function checkData(h: Harness, client: Client): Promise<void> {
  const templateId = await h.template(
    client,
    buildDocx({ body: paragraph('{canary} {order}') + paragraph('[{text}]') }),
  );
  for (const text of naughtyTexts) {
    const answer = await client.generate({ templateId, data: { text } });
    if ([...text].some(isExcluded)) {
      expect(is400(answer, 'data_invalid'), `${shown(text)} in the data: ${answer.status}`);
      continue;
    }
    expectEqual(answer.status, 200, `${shown(text)} in the data`);
    const printed = text.toWellFormed().replace(/\r\n|\r|\n/g, '\v');
    expectEqual(docxText(answer.body).split('\n')[1], `[${printed}]`, 'the text in the document');
  }
}

/** Every text becomes a safe file name, and a safe name stays unchanged. */
async function checkFilenames(client: Client, templateId: string): Promise<void> {
  for (const text of naughtyTexts) {
    const filename = await filenameOf(client, templateId, text);
    expect(!unsafeInNames.test(filename), `${shown(text)} becomes ${shown(filename)}`);
    expect(/^[^.].*\.docx$/u.test(filename) && Buffer.byteLength(filename) <= 150, `the name ${shown(filename)}`);
    expectEqual(await filenameOf(client, templateId, filename), filename, 'a safe name made safe again');
  }
}

async function filenameOf(client: Client, templateId: string, filename: string): Promise<string> {
  const answer = await client.generate({ templateId, output: { filename } });
  expectEqual(answer.status, 200, `the filename ${shown(filename)}`);
  const header = answer.headers.get('Content-Disposition') ?? '';
  const match = /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''([\w!#$&+^`|~.%-]+)$/.exec(
    header,
  );
  expect(match !== null, `${shown(filename)} gives the header ${header}`);
  return decodeURIComponent(match?.[1] ?? '');
}

/** A template gets exactly the requested name or keeps its old one. */
async function checkNames(client: Client, templateId: string): Promise<void> {
  let name = 'letter.docx';
  for (const text of naughtyTexts) {
    const expected = `${text}.docx`;
    const body = JSON.stringify({ name: expected });
    const answer = await client.call('PUT', `/v1/templates/${templateId}`, { body, headers: json });
    expect(answer.status === 200 || is400(answer, 'invalid_request'), `the name ${shown(expected)}: ${answer.status}`);
    if (answer.status === 200) name = expected;
    const list = await client.call('GET', `/v1/templates?name=${encodeURIComponent(name.slice(0, 40))}`);
    expectEqual(list.status, 200, `listing ${shown(name)}`);
    const [found] = JSON.parse(list.body.toString()) as { name: string }[];
    expectEqual(found?.name, name, 'the name of the template');
    expectEqual((await client.call('GET', `/v1/templates/${templateId}/content`)).status, 200, `${shown(name)} again`);
  }
}

/** A subject arrives unchanged on one line or the request is refused; no part of it becomes a header. */
async function checkSubjects(h: Harness, client: Client, templateId: string): Promise<void> {
  const subjects = new Map<string, string>();
  for (const subject of naughtyTexts) {
    const answer = await client.generate({ templateId, email: { to: ['ada@sink.test'], subject, body: subject } });
    if (answer.status === 200) subjects.set(answer.headers.get('Email-Delivery-Id') ?? '', subject);
    else expect(is400(answer, 'invalid_request'), `the subject ${shown(subject)}: ${answer.status}`);
  }
  await h.settled();
  const { folder } = h.backing.mail;
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.eml'))) {
    const raw = readFileSync(join(folder, file));
    const subject = subjects.get(deliveryIdOf(raw.toString('latin1')));
    if (subject === undefined) continue;
    subjects.delete(deliveryIdOf(raw.toString('latin1')));
    const mail = await PostalMime.parse(raw);
    const expected = subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
    expectEqual((mail.subject ?? '').trim(), expected, 'the subject of a mail');
    const keys = mail.headers.map(({ key }) => key);
    expect(!keys.includes('x-injected') && !keys.includes('bcc'), `${shown(subject)} became a header`);
  }
  expectEqual([...subjects.values()].map(shown), [], 'subjects that no mail had');
}

export const hostileTextRows: readonly Row[] = [
  {
    id: 'A7',
    title: `${naughtyTexts.length} naughty strings`,
    story:
      'As data, filename, template name and subject: each is returned unchanged or in its documented form, or refused with a coded 400',
    async run(h) {
      await h.start();
      const { client, templateId } = await h.owner(letter, { credits: 10_000 });
      await checkData(h, client);
      await checkFilenames(client, templateId);
      await checkSubjects(h, client, templateId);
      await checkNames(client, templateId);
    },
  },
];
