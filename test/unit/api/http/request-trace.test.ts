import { describe, expect, test } from 'vitest';
import { parseRequestTrace } from '../../../../src/api/http/request-trace.ts';

const own = expect.stringMatching(/^req_\w{26}$/);
const parent = `00-${'4bf92f3577b34da6a3ce929d0e0e4736'}-${'00f067aa0ba902b7'}-01`;
const read = (headers: Readonly<Record<string, string>>) => parseRequestTrace((name) => headers[name]);

describe('X-Request-Id', () => {
  test.each(['a', 'order-4711', '7f3e0c1a-5d1b-4f6e-9a3d-0d2f4d1c9b7e', '!"#~', 'x'.repeat(128)])(
    '%s is kept',
    (id) => {
      expect(read({ 'x-request-id': id })).toEqual({ requestId: id });
    },
  );
  test.each(['', 'a b', 'a\tb', 'a, b', 'é', '\u{1f600}', 'a\u007f', 'x'.repeat(129)])('%j is replaced', (id) => {
    expect(read({ 'x-request-id': id })).toEqual({ requestId: own });
  });
  test('is generated for a request without one', () => {
    expect(read({})).toEqual({ requestId: own });
    expect(read({}).requestId).not.toBe(read({}).requestId);
  });
});

describe('traceparent', () => {
  test('is kept if it is valid, whatever its flags', () => {
    expect(read({ traceparent: parent })).toEqual({ requestId: own, traceparent: parent });
    expect(read({ traceparent: parent.replace(/01$/, '00') }).traceparent).toBe(parent.replace(/01$/, '00'));
  });
  test('is read as version 00 if its version is later', () => {
    expect(read({ traceparent: parent.replace('00-', 'cc-') }).traceparent).toBe(parent);
    expect(read({ traceparent: `${parent.replace('00-', 'cc-')}-what-the-future` }).traceparent).toBe(parent);
  });
  test.each([
    '',
    parent.toUpperCase(),
    parent.replace('00-', 'ff-'),
    `${parent}-more`,
    `${parent.replace('00-', 'cc-')}.more`,
    parent.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
    parent.replace('00f067aa0ba902b7', '0'.repeat(16)),
    parent.slice(0, -1),
    ` ${parent}`,
    `${parent}, ${parent}`,
  ])('%j is ignored, with its tracestate', (traceparent) => {
    expect(read({ traceparent, tracestate: 'a=1' })).toEqual({ requestId: own });
  });
});

describe('tracestate', () => {
  const state = (tracestate: string) => read({ traceparent: parent, tracestate }).tracestate;
  const many = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=v`).join(',');
  test.each(['rojo=00f067aa0ba902b7', 'a=1,b=2', '0tenant@system=x y', 'a_-*/1=!~', many(32), ''])(
    '%j is kept',
    (text) => {
      expect(state(text)).toBe(text === '' ? undefined : text);
    },
  );
  test('white space around members and empty members are removed', () => {
    expect(state(' a=1 ,\tb=2, ,')).toBe('a=1,b=2');
  });
  test.each(['a', 'A=1', 'a=', 'a=b=c', 'a=1,a=2', 'a=\u0001', '=1', 'a@=1', `a=${'x'.repeat(257)}`, many(33)])(
    '%j is ignored',
    (text) => {
      expect(state(text)).toBeUndefined();
    },
  );
  test('is ignored beyond 512 characters', () => {
    expect(state(['a', 'b', 'c'].map((key) => `${key}=${'x'.repeat(200)}`).join(','))).toBeUndefined();
  });
  test('is ignored without traceparent', () => {
    expect(read({ tracestate: 'a=1' })).toEqual({ requestId: own });
  });
});
