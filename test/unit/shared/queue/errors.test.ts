import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ReplyError } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { outageMessages as databaseMessages } from '../../../../src/shared/db/errors.ts';
import { isRedisOutage, outageBeginnings, outageMessages } from '../../../../src/shared/queue/errors.ts';

const require = createRequire(import.meta.url);

/** All JavaScript files in a package's folder. */
function sourcesOf(entry: string): string {
  const folder = dirname(require.resolve(entry));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.includes('node_modules'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

describe('an error message that a driver reports without a code', () => {
  it.each([...outageMessages, ...outageBeginnings])('is in the source of ioredis: %s', (text) => {
    expect(sourcesOf('ioredis')).toContain(text);
  });

  it.each([...databaseMessages])('is in the source of pg: %s', (text) => {
    expect(sourcesOf('pg') + sourcesOf('pg-pool')).toContain(text);
  });
});

describe('a reply from Redis', () => {
  const reply = (text: string): Error => new (ReplyError as unknown as new (text: string) => Error)(text);

  it.each([
    'LOADING Redis is loading the dataset in memory',
    "READONLY You can't write against a read only replica.",
    "OOM command not allowed when used memory > 'maxmemory'.",
    'NOAUTH Authentication required.',
    'NOSCRIPT No matching script. Please use EVAL.',
    'ERR max number of clients reached',
    "ERR Error running script (call to f_4e6d8fc8bb01276962cce5371fa795a7763657ae): @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
    'ERR Error running script (call to f_4e6d8fc8bb01276962cce5371fa795a7763657ae): @user_script:9: @user_script: 9: -READONLY x.',
  ])('is an outage if it has the code of one: %s', (text) => {
    expect(isRedisOutage(reply(text))).toBe(true);
  });

  it.each([
    'ERR unknown command LOADING',
    'ERR READONLY is no argument',
    'WRONGTYPE Operation against a key holding the wrong kind of value: OOM command',
    "ERR Error running script: value 'ETIMEDOUT' of a client",
    'NOGROUP No such consumer group. Connection is closed.',
  ])('is not an outage if it only mentions one: %s', (text) => {
    expect(isRedisOutage(reply(text))).toBe(false);
  });

  it('is found if it is the reason for a discarded transaction', () => {
    const discarded = (cause: string) =>
      Object.assign(reply('EXECABORT Transaction discarded because of previous errors.'), {
        previousErrors: [reply(cause)],
      });
    expect(isRedisOutage(discarded('OOM command not allowed'))).toBe(true);
    expect(isRedisOutage(discarded('ERR wrong number of arguments'))).toBe(false);
  });
});

it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'])(
  'an error of the connection is an outage: %s',
  (code) => expect(isRedisOutage(Object.assign(new Error('x'), { code }))).toBe(true),
);
it('a programming error that mentions an outage is not one', () => {
  expect(isRedisOutage(new TypeError('ECONNREFUSED is not a function'))).toBe(false);
  expect(isRedisOutage(new Error('the name "READONLY" is invalid'))).toBe(false);
});
