import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isDatabaseOutage } from '../../../../src/shared/db/errors.ts';

function databaseError(code: string, message = 'failed'): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  error.code = code;
  return error;
}

describe('an error of PostgreSQL', () => {
  it.each(['57P01', '53300', '57014', '08006', '40P01'])('with code %s is an outage', (code) => {
    expect(isDatabaseOutage(new DrizzleQueryError('select 1', [], databaseError(code)))).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN'])('of the socket, %s, is an outage', (code) => {
    expect(isDatabaseOutage(Object.assign(new Error('connect'), { code }))).toBe(true);
  });

  it.each(['timeout exceeded when trying to connect', 'Query read timeout', 'Connection terminated unexpectedly'])(
    'of the driver without a code, "%s", is an outage',
    (message) => {
      expect(isDatabaseOutage(new DrizzleQueryError('select 1', [], new Error(message)))).toBe(true);
    },
  );

  it.each([
    ['the name of a value in the statement', "update generations set code = 'conversion_timeout'", 'null value'],
    ['the message of a mistake', 'select 1', 'function timeout(integer) does not exist'],
    ['a value', 'select 1', 'invalid input: Connection terminated'],
  ])('that only mentions a timeout in %s is not an outage', (_where, statement, message) => {
    expect(isDatabaseOutage(new DrizzleQueryError(statement, [], databaseError('23502', message)))).toBe(false);
  });
});
