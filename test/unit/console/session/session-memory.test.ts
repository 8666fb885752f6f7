import { Docmill } from '@docmill/client';
import { afterEach, expect, test } from 'vitest';
import { type Session, session } from '../../../../src/console/session/session.ts';
import { createSessionMemory } from '../../../../src/console/session/session-memory.ts';

afterEach(() => {
  session.value = undefined;
});

const sessionOf = (apiKey: string): Session => ({
  docmill: new Docmill({ apiKey, baseUrl: 'http://localhost' }),
  key: {} as Session['key'],
});

test('a tab forgets everything when the session ends', () => {
  const memory = createSessionMemory<string>(3);
  session.value = sessionOf('first');
  memory.set('a', 'read with the first key');
  expect(memory.get('a')).toBe('read with the first key');
  session.value = undefined;
  expect(memory.get('a')).toBeUndefined();
  // A response that arrives while nobody is signed in.
  memory.set('a', 'late');
  session.value = sessionOf('second');
  expect(memory.get('a')).toBeUndefined();
});

test('the oldest value is forgotten when there are too many', () => {
  const memory = createSessionMemory<number>(2);
  memory.set('a', 1);
  memory.set('b', 2);
  memory.set('a', 3);
  memory.set('c', 4);
  expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual([3, undefined, 4]);
  memory.delete('c');
  expect(memory.get('c')).toBeUndefined();
});
