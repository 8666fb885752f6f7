import type { PeerScript } from '../../../support/faults/smtp-peer-script.ts';
import type { TestAccountKey } from '../../client/account.ts';
import type { Answer } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

/** A server that repeats the recipient in its errors. */
const talkative: PeerScript = ({ verb, line }) => (verb === 'RCPT' ? `550 5.1.1 ${line} is unknown here` : undefined);

interface Trouble {
  readonly what: string;
  begin(h: Harness): Promise<void> | void;
  end(h: Harness): Promise<void> | void;
}

const troubles: readonly Trouble[] = [
  { what: 'nothing', begin: () => undefined, end: () => undefined },
  {
    what: 'no PostgreSQL',
    begin: (h) => h.backing.postgres.proxy.refuse(),
    end: (h) => h.backing.postgres.proxy.heal(),
  },
  { what: 'no Redis', begin: (h) => h.backing.redis.proxy.refuse(), end: (h) => h.backing.redis.proxy.heal() },
  {
    what: 'a full Redis',
    begin: async (h) => void (await h.backing.redis.client.config('SET', 'maxmemory', '1mb')),
    end: async (h) => void (await h.backing.redis.client.config('SET', 'maxmemory', '0')),
  },
  {
    what: 'a file store without room',
    begin: (h) => h.backing.s3.gateway.decide(() => 'full'),
    end: (h) => h.backing.s3.gateway.heal(),
  },
  {
    what: 'a failure of ours',
    begin: (h) => void h.arm('after-render', 'throw', 9),
    end: (h) => h.failpoints.clear(),
  },
];

/** Sends secrets in every field of every operation that accepts confidential input. */
async function sendSecrets({ client, account, templateId }: Owner, run: string): Promise<Answer[]> {
  const { canary, apiKey } = account;
  const email = { to: [`${canary}@sink.test`], subject: `About ${canary}`, body: `<p>${canary}</p>` };
  const output = { filename: `${canary}.docx` };
  const broken = { body: `{"data":{"text":"${canary}"`, headers: { 'Content-Type': 'application/json' } };
  return [
    await client.generate({ templateId, email, output, key: `a9-${run}`, data: { more: { [canary]: canary } } }),
    await client.generate({ templateId, output: { ...output, email: { to: [canary] } } }),
    await client.generate({ templateId, data: { order: { secret: canary } } }),
    await client.upload(`${canary}.docx`, letter),
    await client.upload(`${canary}.docx`, Buffer.from(`no template, but ${canary}`)),
    await client.call('POST', `/v1/templates/${templateId}/generate`, broken),
    await client.call('PUT', `/v1/templates/${templateId}`, { body: JSON.stringify({ name: `${canary}.docx` }) }),
    await client.call('GET', `/v1/templates?name=${canary}&key=${apiKey}`),
    await client.call('GET', '/v1/jobs', { headers: { Authorization: `Bearer ${apiKey}x`, 'X-Note': canary } }),
  ];
}

/** Terminates a connection inside the transaction that contains the caller's input. */
async function interrupt(h: Harness, owner: Owner): Promise<void> {
  const point = h.arm('idempotency-claimed', 'hang');
  const pending = sendSecrets(owner, 'interrupted');
  await point.reached();
  await h.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'docmill-api' and state = 'idle in transaction'`,
  );
  point.release();
  await pending;
}

/** In addition to the checks after every row: secrets of the service and parts of keys. */
function expectNoSecrets(h: Harness, { apiKey }: TestAccountKey): void {
  const { DATABASE_URL = '' } = h.backing.variables;
  const secrets = { database: new URL(DATABASE_URL).password, key: apiKey.slice(-40) };
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length >= 8, `the secret of the ${name} is too short`);
    const found = h.processes.filter((process) => process.log().includes(secret)).map(({ spec }) => spec.name);
    expectEqual(found, [], `logs with the secret of the ${name}`);
  }
}

export const secretRows: readonly Row[] = [
  {
    id: 'A9',
    title: 'secrets in every field, everything logged, every server failing',
    story:
      'At log level trace, with PostgreSQL, Redis, the object store and the mail server failing one after the other: no log contains a key, a value, a name, a recipient or a password',
    async run(h) {
      const peer = await h.smtpPeer({ script: talkative });
      const env = { LOG_LEVEL: 'trace' };
      const { api } = await h.start({ api: { env }, worker: { env: { ...env, SMTP_URL: peer.url } } });
      const owner = await h.owner(letter, { credits: 100 });
      h.allowedUnanswered = 100;
      for (const { what, begin, end } of troubles) {
        await begin(h);
        try {
          for (const answer of await sendSecrets(owner, what.replaceAll(' ', '-')))
            expect(answer.status !== 0, `${answer.what} has no answer with ${what}`);
        } finally {
          await end(h);
        }
        await until(`readiness after ${what}`, async () => (await api.readiness()).status === 200);
      }
      await interrupt(h, owner);
      await h.settled();
      await until('a refusal of the mail server', () => peer.count('RCPT') > 0);
      expect(api.log().includes('"request failed"'), 'no failure was logged at all');
      expectNoSecrets(h, owner.account);
    },
  },
];
