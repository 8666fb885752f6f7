import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isDatabaseOutage } from '../../../../src/shared/db/errors.ts';

function databaseError(code: string, message = 'failed'): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  error.code = code;
  return error;
}

describe('an error from PostgreSQL', () => {
  it.each(['57P01', '53300', '57014', '08006', '40P01'])('is an outage with code %s', (code) => {
    expect(isDatabaseOutage(new DrizzleQueryError('select 1', [], databaseError(code)))).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN'])('is an outage if the socket reports %s', (code) => {
    expect(isDatabaseOutage(Object.assign(new Error('connect'), { code }))).toBe(true);
  });

  it.each(['timeout exceeded when trying to connect', 'Query read timeout', 'Connection terminated unexpectedly'])(
    'is an outage without a code if the driver reports "%s"',
    (message) => {
      expect(isDatabaseOutage(new DrizzleQueryError('select 1', [], new Error(message)))).toBe(true);
    },
  );

  it.each([
    ['the name of a value in the statement', "update generations set code = 'conversion_timeout'", 'null value'],
    ['the message of a mistake', 'select 1', 'function timeout(integer) does not exist'],
    ['a value', 'select 1', 'invalid input: Connection terminated'],
  ])('is not an outage if it only mentions a timeout in %s', (_where, statement, message) => {
    expect(isDatabaseOutage(new DrizzleQueryError(statement, [], databaseError('23502', message)))).toBe(false);
  });
});
