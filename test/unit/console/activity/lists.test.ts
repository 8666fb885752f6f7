import { describe, expect, test } from 'vitest';
import { mergeNewest } from '../../../../src/console/ui/merge-newest.ts';
import { searchWithin } from '../../../../src/console/ui/search-within.ts';

const entry = (id: string, state = 'open') => ({ id, state });

describe('a list that stays up to date', () => {
  test('changes entries in their places and sets new ones aside', () => {
    const shown = [entry('d3'), entry('d2'), entry('d1')];
    const { entries, fresh } = mergeNewest(shown, [entry('d5'), entry('d4'), entry('d3', 'ended'), entry('d2')]);
    expect(entries).toEqual([entry('d3', 'ended'), entry('d2'), entry('d1')]);
    expect(fresh).toEqual([entry('d5'), entry('d4')]);
  });

  test('keeps an entry that left the filter, and takes none that is older than the list', () => {
    const { entries, fresh } = mergeNewest(
      [entry('d5'), entry('d3')],
      [entry('d4'), entry('d3', 'ended'), entry('d1')],
    );
    expect(entries).toEqual([entry('d5'), entry('d3', 'ended')]);
    expect(fresh).toEqual([]);
  });

  test('everything is new in an empty list', () => {
    expect(mergeNewest([], [entry('d1')])).toEqual({ entries: [], fresh: [entry('d1')] });
  });
});

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

  test('that is left fails, because nobody waits for it', async () => {
    await expect(read(1, AbortSignal.abort(new Error('left')))).rejects.toThrow();
  });

  test('passes errors of the service on', async () => {
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
