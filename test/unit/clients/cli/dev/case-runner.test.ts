import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCaseRunner, type ReadCase } from '../../../../../clients/cli/src/dev/case-runner.ts';
import type { Outcome } from '../../../../../clients/cli/src/dev/render-case.ts';

// Pauses between two attempts pass only when a test advances the clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const shown = (text: string): Outcome => {
  const pdf = new TextEncoder().encode(text);
  return { kind: 'shown', pdf, pageCount: 1, durationMs: 1, warnings: [] };
};
const waiting = (message: string, retryAfterMs?: number): Outcome => ({ kind: 'waiting', message, retryAfterMs });

/** A runner over files that the test changes. Each render ends when the test ends it. */
function createBench() {
  const states: unknown[] = [];
  const renders: { readonly text: string; readonly end: (outcome: Outcome) => void; readonly signal: AbortSignal }[] =
    [];
  const files = { text: 'first', isBroken: false };
  const read = async (): Promise<ReadCase> => {
    const { text, isBroken } = files;
    if (isBroken) throw new Error('letter.docx is missing.');
    const render = (signal: AbortSignal) =>
      new Promise<Outcome>((end, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        renders.push({ text, end, signal });
      });
    return { fingerprint: text, dataVersion: null, render };
  };
  const runner = createCaseRunner(read, (state) => states.push(state));
  const nextRender = async (count: number) => {
    await expect.poll(() => renders.length).toBe(count);
    const render = renders[count - 1];
    if (render === undefined) throw new Error('no render');
    return render;
  };
  const becomes = (state: object) => expect.poll(runner.state).toMatchObject(state);
  return { runner, states, renders, files, nextRender, becomes };
}

test('one case renders at a time, with the newest files', async () => {
  const { runner, files, nextRender, renders, states, becomes } = createBench();
  runner.request();
  const first = await nextRender(1);
  for (const text of ['second', 'third', 'fourth']) {
    files.text = text;
    runner.request();
  }
  expect(renders).toHaveLength(1);
  first.end(shown('first'));
  const last = await nextRender(2);
  expect(last.text).toBe('fourth');
  last.end(shown('fourth'));
  await becomes({ status: 'shown' });
  expect(new TextDecoder().decode(runner.pdf(runner.state().pages?.id ?? ''))).toBe('fourth');
  expect(states.at(-1)).toBe(runner.state());
  await runner.stop();
});

test('unchanged files are rendered again only on request', async () => {
  const { runner, nextRender, renders, becomes } = createBench();
  runner.request();
  (await nextRender(1)).end(shown('one'));
  await becomes({ status: 'shown' });
  runner.request();
  runner.request(true);
  (await nextRender(2)).end(shown('one'));
  await becomes({ status: 'shown' });
  expect(renders).toHaveLength(2);
  await runner.stop();
});

test('the runner waits as long as the service asks, even if a file is saved meanwhile', async () => {
  const { runner, files, nextRender, renders, becomes } = createBench();
  runner.request();
  (await nextRender(1)).end(waiting('Too many previews', 300));
  await becomes({ status: 'waiting', message: 'Too many previews', retryInMs: 300 });
  files.text = 'newer';
  runner.request();
  await vi.advanceTimersByTimeAsync(299);
  expect(renders).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  const next = await nextRender(2);
  expect(next.text).toBe('newer');
  next.end(shown('newer'));
  await becomes({ status: 'shown', message: null });
  await runner.stop();
});

test('an unavailable service is retried automatically, and at once when a file is saved', async () => {
  const { runner, nextRender, becomes } = createBench();
  const lost = waiting('The service cannot be reached.');
  runner.request();
  (await nextRender(1)).end(lost);
  await becomes({ status: 'offline', retryInMs: 500 });
  await vi.advanceTimersByTimeAsync(500);
  (await nextRender(2)).end(lost);
  await becomes({ status: 'offline', retryInMs: 1_000 });
  runner.request();
  (await nextRender(3)).end(shown('back'));
  await becomes({ status: 'shown', message: null });
  await runner.stop();
});

test('the last good pages stay visible while a file is invalid or unreadable', async () => {
  const { runner, files, nextRender, becomes } = createBench();
  runner.request();
  (await nextRender(1)).end(shown('good'));
  await becomes({ status: 'shown' });
  const { pages } = runner.state();
  files.text = 'bad';
  runner.request();
  const problems = [{ message: 'The tag is not closed.' }];
  (await nextRender(2)).end({ kind: 'failed', problems });
  await becomes({ status: 'failed', pages, problems });
  files.isBroken = true;
  runner.request();
  await becomes({ pages, problems: [{ message: 'letter.docx is missing.' }] });
  files.isBroken = false;
  runner.request();
  (await nextRender(3)).end(shown('good again'));
  await becomes({ status: 'shown', problems: [] });
  await runner.stop();
});

test('stop cancels the render in progress, and nothing is published afterwards', async () => {
  const { runner, nextRender, states } = createBench();
  runner.request();
  const { signal } = await nextRender(1);
  const count = states.length;
  await runner.stop();
  expect([signal.aborted, states.length]).toEqual([true, count]);
});
