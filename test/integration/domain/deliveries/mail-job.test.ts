import { hash, randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { claimDelivery } from '../../../../src/shared/domain/deliveries/delivery-attempt.ts';
import { succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { createObjectStore } from '../../../../src/shared/storage/objects.ts';
import type { WorkerDeps } from '../../../../src/worker/deps.ts';
import { startRun } from '../../../../src/worker/job-run.ts';
import { createMailer } from '../../../../src/worker/mail/mailer.ts';
import { processMail } from '../../../../src/worker/processors/mail.ts';
import { claimed, emailTo, finishedDocument, newAccount, together } from '../../../support/domain/accounts.ts';
import { statusOf } from '../../../support/domain/deliveries.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { startSmtpPeer } from '../../../support/faults/smtp-peer.ts';
import type { PeerScript } from '../../../support/faults/smtp-peer-script.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { silent } from '../../../support/services/redis.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();
keepRules(pool);
const content = randomBytes(2_000);
const addresses = ['a@example.com', 'b@example.com', 'c@example.com'] as const;

/** A finished document to be mailed to a, b and c, and a worker that sends it through a scripted server. */
async function newScene(
  script: PeerScript = () => undefined,
  changes: Readonly<Record<string, string>> = {},
  people: readonly string[] = addresses,
) {
  const peer = await startSmtpPeer({ script });
  const mailer = createMailer({
    smtpUrl: peer.url,
    from: 'Docmill <documents@docmill.example>',
    maxConnections: 2,
    connectionTimeoutMs: 60_000,
    socketTimeoutMs: 60_000,
    maxMessageBytes: 1_000_000,
    logger: silent,
  });
  onTestFinished(async () => {
    await mailer.close();
    await peer.close();
  });
  const deps = { ...(await newWorkerDeps(db, url, { MAIL_BACKOFF_MS: '10', ...changes })), mailer };
  const { accountId, accept } = await newAccount(db, { docs: 1 });
  const email = { ...emailTo(...people.slice(0, 1)), cc: people.slice(1, 2), bcc: people.slice(2) };
  const { deliveryId } = email;
  const claim = await claimed(db, await accept({ isKept: true, email }));
  const document = finishedDocument(claim);
  const result = { ...document.result, checksum: hash('sha256', content, 'hex') };
  await deps.objects.put(result.key, content, 'application/pdf');
  await succeedDocument(db, claim, { ...document, result });
  return {
    deps,
    peer,
    deliveryId,
    run: (through: WorkerDeps = deps) => processMail(through, startRun(through), { deliveryId }),
    /** The delivery's status and its recipients', as the API shows them. */
    status: () => statusOf(db, { accountId, id: deliveryId }),
  };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

/** The recipients of each complete message that the server received. */
const received = ({ peer }: Scene) => peer.messages.flatMap((message) => message.to).sort();

/** Makes deferred deliveries due now. */
const makeDue = ({ deliveryId }: Scene) =>
  pool.query(`update deliveries set next_attempt_at = now() - interval '1 second' where id = $1`, [deliveryId]);

it('a delivery is sent once, whatever the number of jobs', async () => {
  const scene = await newScene();
  await together(8, () => scene.run());
  await scene.run();
  expect(received(scene)).toEqual([...addresses]);
  expect(await scene.status()).toBe('sent: sent sent sent');
});

it('deferred recipients are tried again alone, after a pause', async () => {
  let isBusy = true;
  const scene = await newScene(({ verb, line }) =>
    verb === 'RCPT' && line.includes('b@') && isBusy ? '451 later' : undefined,
  );
  await scene.run();
  expect(await scene.status()).toBe('pending: sent deferred sent');
  expect(await scene.deps.queues.has('mail', `${scene.deliveryId}.1`)).toBe(true);
  isBusy = false;
  await makeDue(scene);
  await scene.run();
  expect(await scene.status()).toBe('sent: sent sent sent');
  expect(received(scene)).toEqual([...addresses]);
});

it('a recipient that is refused for good is not tried again', async () => {
  const scene = await newScene(({ verb, line }) =>
    verb === 'RCPT' && line.includes('c@') ? '550 unknown' : undefined,
  );
  await scene.run();
  await makeDue(scene);
  await scene.run();
  expect(await scene.status()).toBe('partial: sent sent failed');
  expect(scene.peer.count('RCPT')).toBe(3);
});

it('a recipient that needs SMTPUTF8 fails alone, and not again when the others are tried again', async () => {
  let isBusy = true;
  const people = ['ü@exämple.com', 'b@example.com', 'c@exämple.com'];
  const scene = await newScene(({ verb }) => (verb === 'MAIL' && isBusy ? '451 later' : undefined), {}, people);
  await scene.run();
  expect(await scene.status()).toBe('pending: failed deferred deferred');
  isBusy = false;
  await makeDue(scene);
  await scene.run();
  expect(await scene.status()).toBe('partial: failed sent sent');
  expect(received(scene)).toEqual(['b@example.com', 'c@xn--exmple-cua.com']);
});

it('a delivery that is deferred at every attempt ends as failed', async () => {
  const scene = await newScene(({ verb }) => (verb === 'MAIL' ? '451 later' : undefined), { MAIL_ATTEMPTS: '3' });
  for (let attempt = 1; attempt <= 4; attempt++) {
    await scene.run();
    await makeDue(scene);
  }
  expect(await scene.status()).toBe('failed: failed failed failed');
  expect(scene.peer.count('MAIL')).toBe(3);
});

it('a message is never sent again after the connection was lost at the final dot', async () => {
  const scene = await newScene(({ verb }) => (verb === 'DOT' ? { instead: 'reset' } : undefined));
  await scene.run();
  await makeDue(scene);
  await scene.run();
  expect(await scene.status()).toBe('unknown: unknown unknown unknown');
  expect(received(scene)).toEqual([...addresses]);
});

it('a worker that was fenced before the final dot completes nothing', async () => {
  const scene = await newScene(async ({ verb, session }) => {
    if (verb !== 'DATA' || session > 1) return undefined;
    await pool.query(`update deliveries set locked_until = now() - interval '1 second' where id = $1`, [
      scene.deliveryId,
    ]);
    await claimDelivery(db, scene.deliveryId, 60_000);
    return undefined;
  });
  await scene.run();
  expect(scene.peer.messages).toEqual([]);
  expect(await scene.status()).toBe('sending: pending pending pending');
});

it('an unreachable file store defers the delivery, which is sent when the store is back', async () => {
  const scene = await newScene();
  const { config } = scene.deps;
  const objects = createObjectStore({
    endpoint: 'http://127.0.0.1:9',
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    accessKeyId: 'none',
    secretAccessKey: 'none',
    timeoutMs: 500,
  });
  onTestFinished(() => objects.close());
  await scene.run({ ...scene.deps, objects });
  expect(await scene.status()).toBe('pending: deferred deferred deferred');
  expect(scene.peer.count('MAIL')).toBe(0);
  await makeDue(scene);
  await scene.run();
  expect(await scene.status()).toBe('sent: sent sent sent');
});

it('a document that is no longer kept ends the delivery', async () => {
  const scene = await newScene();
  await pool.query('update generations set result_store = null, result_key = null where email ->> $1 = $2', [
    'deliveryId',
    scene.deliveryId,
  ]);
  await scene.run();
  expect(await scene.status()).toBe('failed: failed failed failed');
});
