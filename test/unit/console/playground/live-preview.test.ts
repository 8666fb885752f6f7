import { ApiError, ConnectionError, type Preview } from '@docmill/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLivePreview, type PreviewState } from '../../../../src/console/playground/live-preview.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const preview: Preview = { bytes: new Uint8Array(), contentType: 'application/pdf', pageCount: 1, warningCodes: [] };

function start(answers: readonly (() => Promise<Preview>)[] = []) {
  const sent: string[] = [];
  const states: PreviewState[] = [];
  const live = createLivePreview<string>({
    quietMs: 300,
    onState: (state) => states.push(state),
    render: (input) => {
      sent.push(input);
      return answers[sent.length - 1]?.() ?? Promise.resolve(preview);
    },
  });
  return { live, sent, states, kinds: () => states.map(({ kind }) => kind) };
}

const refusal = (status: number, retryAfterMs?: number) =>
  new ApiError('refused', { status, code: 'rate_limited', details: [], retryAfterMs });

test('several quick changes are rendered once, after a pause', async () => {
  const { live, sent, kinds } = start();
  for (const text of ['a', 'ab', 'abc']) {
    live.request(text);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(sent).toEqual(['abc']);
  expect(kinds()).toEqual(['rendering', 'shown']);
});

test('only one request is in flight, and only the newest one follows it', async () => {
  let finish = () => {};
  const { live, sent } = start([() => new Promise((resolve) => (finish = () => resolve(preview)))]);
  live.renderNow('first');
  await vi.advanceTimersByTimeAsync(0);
  live.request('second');
  live.request('third');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual(['first']);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['first', 'third']);
});

test('the client waits as long as a refusal requests, then sends the newest request', async () => {
  const { live, sent, states } = start([() => Promise.reject(refusal(429, 4_000))]);
  live.renderNow('first');
  await vi.advanceTimersByTimeAsync(0);
  expect(states.at(-1)).toMatchObject({ kind: 'waiting', untilMs: Date.now() + 4_000 });
  live.request('second');
  await vi.advanceTimersByTimeAsync(3_900);
  expect(sent).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(200);
  expect(sent).toEqual(['first', 'second']);
  expect(states.at(-1)?.kind).toBe('shown');
});

test('a request is retried when the connection was lost', async () => {
  const { live, sent, kinds } = start([() => Promise.reject(new ConnectionError('lost'))]);
  live.renderNow('first');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(sent).toEqual(['first', 'first']);
  expect(kinds()).toEqual(['rendering', 'waiting', 'rendering', 'shown']);
});

test('a data error is shown and not retried', async () => {
  const { live, sent, states } = start([() => Promise.reject(refusal(400))]);
  live.renderNow('first');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual(['first']);
  expect(states.at(-1)?.kind).toBe('failed');
});

test('a closed playground sends nothing more', async () => {
  const { live, sent } = start();
  live.request('first');
  live.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([]);
});
