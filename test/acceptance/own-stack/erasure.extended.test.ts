import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { byProgram, createOperator } from '../../support/client/operator.ts';
import type { TestClient } from '../../support/client/service-under-test.ts';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { useOwnStack } from '../../support/services/own-stack.ts';
import { searchStack, storeOf } from '../../support/services/search-stack.ts';
import { letter } from '../api/samples.ts';
import { ended } from '../batches/batch-client.ts';

// Everything that the stack keeps is read several times, while other test files run.
vi.setConfig({ testTimeout: 600_000 });
const wholeSearch = { timeout: 240_000 };

// Its own stack, so that no other test writes to it.
const { line: stack, newClient, mailbox } = await useOwnStack();
const program = createOperator(byProgram(stack.env));
const receiver = await startWebhookReceiver({});
const pool = new pg.Pool({ connectionString: stack.env.DATABASE_URL, max: 2 });
// The server may stop while a connection still closes.
pool.on('error', () => undefined);
afterAll(async () => {
  await receiver.close();
  await pool.end();
});

/** A person with an address, and a word that only the data of their documents holds. */
interface Person {
  readonly address: string;
  readonly local: string;
  readonly word: string;
}

function newPerson(name: string): Person {
  const local = `${name}.${randomBytes(8).toString('hex')}`;
  return { local, address: `${local}@inbox.example`, word: `secret${randomBytes(12).toString('hex')}` };
}

const jobOf = (location: string | null): string => location?.split('/').at(-1) ?? '';

interface Made {
  readonly client: TestClient;
  readonly batchId: string;
  readonly templateId: string;
  /** Documents that contain no address. */
  readonly unaddressed: readonly string[];
}

/** Makes documents of a person in every way. The batch also has a row of another person. */
async function makeDocuments(person: Person, neighbour: Person): Promise<Made> {
  const client = await newClient();
  const { address, word } = person;
  const template = await client.template('letter.docx', letter('Dear {name}, {word}', 'To {mail}'));
  const events = ['document.succeeded', 'document.failed', 'batch.completed'];
  await client.call('POST', '/v1/webhooks', { json: { url: receiver.url, events } });
  const data = { name: address, word, mail: address };
  const email = { to: [address.replace('inbox', 'INBOX')], subject: `For ${address}`, body: `Dear ${word}` };
  const callbackUrl = `${receiver.url}/done?to=${encodeURIComponent(address)}&word=${word}`;

  const direct = await client.generate(template.id, { data, output: { filename: `for ${address}` } });
  expect(direct.status).toBe(200);
  const mailed = await client.generate(
    template.id,
    { data, output: { format: 'pdf', email, filename: word }, callbackUrl },
    { 'Idempotency-Key': `letter-to-${address}` },
  );
  expect(mailed.status).toBe(200);
  const kept = await client.start(template.id, { data: { name: 'x', word, mail: 'y' }, output: { filename: word } });
  const failed = await client.start(template.id, {
    data: { name: word },
    output: { onMissing: 'error', filename: `failed-${word}` },
  });
  const rows = [
    { name: person.local, mail: address, word },
    { name: neighbour.local, mail: neighbour.address, word: neighbour.word },
    { name: 'nobody', mail: 'nobody@inbox.example', word: 'nothing' },
  ];
  const items = rows.map((row) => ({
    data: row,
    output: { filename: `${row.name}.docx`, email: { to: [row.mail], subject: row.word } },
  }));
  const sent = await client.call('POST', `/v1/templates/${template.id}/batches`, {
    json: { items, output: { filename: 'x' }, bundle: 'zip' },
  });
  expect(sent.status, sent.bytes.toString()).toBe(202);
  const { id: batchId } = sent.json<{ id: string }>();
  expect((await ended(client, batchId)).counts.succeeded).toBe(3);
  await expect.poll(async () => (await mailbox.to(address)).length).toBe(2);
  const unaddressed = [kept, failed].map((answer) => jobOf(answer.headers.get('Location')));
  for (const id of unaddressed) {
    const status = async () => (await client.call('GET', `/v1/jobs/${id}`)).json<{ status: string }>().status;
    await expect.poll(status).toMatch(/succeeded|failed/);
  }
  return { client, batchId, templateId: template.id, unaddressed };
}

/** Quarantines a document as if it had crashed LibreOffice. */
async function quarantine(documentId: string, evidence: Buffer): Promise<void> {
  const { client, bucket } = storeOf(stack.env);
  const fingerprint = randomBytes(32).toString('hex');
  const { rows } = await pool.query<{ account_id: string; template_id: string }>(
    'select account_id, template_id from generations where id = $1',
    [documentId],
  );
  const { account_id: account = '', template_id: template = '' } = rows[0] ?? {};
  const key = `quarantine/${account}/${fingerprint}/att_${'0'.repeat(26)}.docx`;
  await client.putObject(bucket, key, evidence);
  await pool.query(
    `insert into conversion_failures (fingerprint, account_id, failures, generation_id, template_id, template_version, reason, evidence_key)
      values ($1, $2, 2, $3, $4, 1, 'conversion_timeout', $5)`,
    [fingerprint, account, documentId, template, key],
  );
}

test('nothing in the service refers to an erased address or its documents; other data is intact', async () => {
  const [erased, other] = [newPerson('ida'), newPerson('otto')];
  const [neighbourOfErased, neighbourOfOther] = [newPerson('nora'), newPerson('nils')];
  const made = await makeDocuments(erased, neighbourOfErased);
  const kept = await makeDocuments(other, neighbourOfOther);
  await quarantine(made.unaddressed[0] ?? '', letter(`Dear ${erased.word}`));
  await quarantine(kept.unaddressed[0] ?? '', letter(`Dear ${other.word}`));
  const people = [erased, other, neighbourOfErased, neighbourOfOther];
  const markers = people.flatMap(({ local, word }) => [local, word]);
  const before = [...(await searchStack(stack, markers))];
  const isOf = (find: string, { local, word }: Person) => find.startsWith(local) || find.startsWith(word);
  const places = ['table generations', 'table deliveries', 'object batches/', 'object results/', 'object quarantine/'];
  for (const person of [erased, other])
    for (const place of places)
      expect(
        before.some((find) => isOf(find, person) && find.includes(place)),
        `${place} of ${person.local}`,
      ).toBe(true);
  const quotas = await made.client.quotas();

  const result = await program.run<{ documents: number }>('erase', { recipient: erased.address.toUpperCase() });
  expect(result.documents).toBeGreaterThanOrEqual(3);
  for (const document of made.unaddressed) await program.run('erase', { document });

  const after = [...(await searchStack(stack, markers))];
  expect(after.filter((find) => isOf(find, erased))).toEqual([]);
  const ofOthers = (finds: readonly string[]) =>
    finds.filter((find) => isOf(find, other) && !find.includes('Redis')).sort();
  expect(ofOthers(after)).toEqual(expect.arrayContaining(ofOthers(before.filter((find) => !find.includes('/s3/')))));
  for (const marker of [neighbourOfErased.local, neighbourOfErased.word])
    expect(
      after.some((find) => find.startsWith(marker)),
      marker,
    ).toBe(true);

  expect(await made.client.quotas()).toEqual(quotas);
  const retried = await made.client.call('POST', `/v1/batches/${made.batchId}/retry`, {});
  expect(retried.status, retried.bytes.toString()).toBe(202);
  expect((await ended(made.client, made.batchId)).status).toBe('completed');
  const again = await program.run<{ documents: number }>('erase', { recipient: erased.address });
  expect(again.documents).toBe(0);
});

test('waiting documents are cancelled and refunded, and no mail is sent', async () => {
  const person = newPerson('pia');
  const client = await newClient();
  const template = await client.template('letter.docx', letter('Dear {word}'));
  const before = (await client.quotas()).remaining.total.docs;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      client.start(template.id, {
        data: { word: person.word },
        output: { format: 'pdf', email: { to: [person.address] } },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  await program.run('erase', { recipient: person.address });
  // A worker that was producing a document removes its files when it has finished.
  await expect.poll(async () => [...(await searchStack(stack, [person.local, person.word]))], wholeSearch).toEqual([]);
  const sent = (await mailbox.to(person.address)).length;
  const { rows } = await pool.query<{ status: string }>('select status from generations where account_id = $1', [
    client.accountId,
  ]);
  const succeeded = rows.filter(({ status }) => status === 'succeeded').length;
  expect(rows.every(({ status }) => status === 'succeeded' || status === 'cancelled')).toBe(true);
  expect(sent).toBeLessThanOrEqual(succeeded);
  expect((await client.quotas()).remaining.total.docs).toBe(before - succeeded);
});

test('a deleted account leaves only monthly totals, and its name must be confirmed', async () => {
  const [gone, other] = [newPerson('gus'), newPerson('oda')];
  const made = await makeDocuments(gone, newPerson('ned'));
  const kept = await makeDocuments(other, newPerson('nat'));
  await quarantine(made.unaddressed[0] ?? '', letter(`Dear ${gone.word}`));
  const { accountId } = made.client;
  const waiting = await made.client.start(made.templateId, {
    data: { name: 'x', word: gone.word, mail: gone.address },
    output: { format: 'pdf' },
  });
  expect(waiting.status).toBe(202);
  await expect(program.run('delete-account', { account: accountId, confirm: 'another' })).rejects.toThrow(
    'another name',
  );
  const settled = await pool.query<{ n: string }>(
    `select count(*) as n from ledger where account_id = $1 and kind = 'settle'`,
    [accountId],
  );
  await program.run('delete-account', { account: accountId, confirm: 'acceptance' });
  await program.run('delete-account', { account: accountId, confirm: 'acceptance' });
  const markers = [gone.local, gone.word, other.local, other.word];
  let finds: readonly string[] = [];
  const ofGone = async () => {
    finds = [...(await searchStack(stack, [...markers, accountId]))];
    return finds.filter((find) => find.startsWith(gone.local) || find.startsWith(gone.word));
  };
  // A worker that was producing a document removes its files when it has finished.
  await expect.poll(ofGone, wholeSearch).toEqual([]);
  for (const marker of [other.local, other.word]) expect(finds.some((find) => find.startsWith(marker))).toBe(true);
  const tables = finds.flatMap((find) => (find.startsWith(`${accountId}: table`) ? [find.split('table ')[1]] : []));
  expect(tables.sort()).toEqual(['accounts', 'audit_log', 'document_months', 'ledger_months']);
  expect(finds.filter((find) => find.startsWith(`${accountId}: object`))).toEqual([]);
  const { rows } = await pool.query(
    'select sum(settled)::int as settled, sum(reserved - settled - released)::int as held from ledger_months where account_id = $1',
    [accountId],
  );
  expect(rows[0]?.settled).toBeGreaterThanOrEqual(Number(settled.rows[0]?.n));
  expect(rows[0]?.held).toBe(0);
  expect((await made.client.call('GET', '/v1/templates')).status).toBe(401);
  expect((await kept.client.generate(kept.templateId, { data: { name: 'x', word: 'y', mail: 'z' } })).status).toBe(200);
  expect(await program.run('show-account', { account: accountId })).toMatchObject({
    name: 'deleted account',
    keys: [],
  });
});
