import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { byProgram, createOperator } from '../../support/client/operator.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { searchStack } from './search-stack.ts';

// Everything that the stack keeps is read several times, beside the files of the other tests.
vi.setConfig({ testTimeout: 600_000 });

const stack = inject('stack');
const { newClient, mailbox } = await useService(stack);
const program = createOperator(byProgram(stack.env));
const pool = new pg.Pool({ connectionString: stack.env.DATABASE_URL, max: 2 });
afterAll(async () => {
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

test('what waits is cancelled and refunded, and no mail is sent', async () => {
  const person = newPerson('pia');
  const client = await newClient();
  const template = await client.template('letter.docx', letter('Dear {word}'));
  const before = (await client.quotas()).remaining.total.docs;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      client.generate(
        template.id,
        { data: { word: person.word }, output: { format: 'pdf', email: { to: [person.address] } } },
        { Prefer: 'respond-async' },
      ),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  await program.run('erase', { recipient: person.address });
  expect([...(await searchStack(stack, [person.local, person.word]))]).toEqual([]);
  const sent = (await mailbox.to(person.address)).length;
  const { rows } = await pool.query<{ status: string }>('select status from generations where account_id = $1', [
    client.accountId,
  ]);
  const succeeded = rows.filter(({ status }) => status === 'succeeded').length;
  expect(rows.every(({ status }) => status === 'succeeded' || status === 'cancelled')).toBe(true);
  expect(sent).toBeLessThanOrEqual(succeeded);
  expect((await client.quotas()).remaining.total.docs).toBe(before - succeeded);
});
