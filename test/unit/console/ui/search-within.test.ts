import { describe, expect, test } from 'vitest';
import { searchWithin } from '../../../../src/console/ui/search-within.ts';

describe('a search', () => {
  async function* slowAfter(count: number, signal: AbortSignal): AsyncGenerator<number> {
    for (let index = 0; index < count; index += 1) yield index;
    signal.throwIfAborted();
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }

  const read = async (count: number, signal: AbortSignal) => {
    const found: number[] = [];
    let stops = 0;
    const onStop = (): void => {
      stops += 1;
    };
    const list = (both: AbortSignal) => slowAfter(count, both);
    for await (const one of searchWithin(list, { signal, limitMs: 20, onStop })) found.push(one);
    return { found, stops };
  };

  test('ends with what it has found when the next entry takes too long', async () => {
    expect(await read(3, new AbortController().signal)).toEqual({ found: [0, 1, 2], stops: 1 });
  });

  test('fails once it is abandoned', async () => {
    await expect(read(1, AbortSignal.abort(new Error('left')))).rejects.toThrow();
  });

  test('passes on errors of the service', async () => {
    const failing = async function* (): AsyncGenerator<number> {
      yield 1;
      throw new Error('503');
    };
    const iterator = searchWithin(failing, {
      signal: new AbortController().signal,
      limitMs: 1_000,
      onStop: () => expect.unreachable(),
    });
    expect((await iterator.next()).value).toBe(1);
    await expect(iterator.next()).rejects.toThrow('503');
  });
});
