import { expect, test } from 'vitest';
import { createCaseRunner, type ReadCase } from '../../../../../clients/cli/src/dev/case-runner.ts';
import type { Outcome } from '../../../../../clients/cli/src/dev/render-case.ts';

type State = ReturnType<ReturnType<typeof createCaseRunner>['state']>;

const shown = (text: string): Outcome => ({
  kind: 'shown',
  pdf: new TextEncoder().encode(text),
  pageCount: 1,
  durationMs: 1,
  warnings: [],
});

/** A runner over files that the test changes; each render ends when the test says so. */
function createBench() {
  const states: State[] = [];
  const renders: { readonly text: string; readonly end: (outcome: Outcome) => void; readonly signal: AbortSignal }[] =
    [];
  const files = { text: 'first' };
  const read = async (): Promise<ReadCase> => {
    const { text } = files;
    return {
      fingerprint: text,
      dataVersion: null,
      render: (signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
          renders.push({ text, end: resolve, signal });
        }),
    };
  };
  const runner = createCaseRunner(read, (state) => states.push(state));
  const nextRender = async (count: number) => {
    await expect.poll(() => renders.length).toBe(count);
    const render = renders[count - 1];
    if (render === undefined) throw new Error('no render');
    return render;
  };
  return { runner, states, renders, files, nextRender };
}

test('one render at a time, and the newest files win', async () => {
  const { runner, files, nextRender, renders, states } = createBench();
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
  await expect.poll(() => runner.state().status).toBe('shown');
  const id = runner.state().pages?.id ?? '';
  expect(new TextDecoder().decode(runner.pdf(id))).toBe('fourth');
  expect(states.at(-1)).toBe(runner.state());
  await runner.stop();
});

test('files that have not changed are not rendered again, unless somebody asks for it', async () => {
  const { runner, nextRender, renders } = createBench();
  runner.request();
  (await nextRender(1)).end(shown('one'));
  await expect.poll(() => runner.state().status).toBe('shown');
  runner.request();
  runner.request(true);
  (await nextRender(2)).end(shown('one'));
  await expect.poll(() => runner.state().status).toBe('shown');
  expect(renders).toHaveLength(2);
  await runner.stop();
});

test('it waits as long as the service asks, with the newest files afterwards', async () => {
  const { runner, files, nextRender, states } = createBench();
  runner.request();
  (await nextRender(1)).end({ kind: 'waiting', message: 'Too many previews', retryAfterMs: 300 });
  await expect.poll(() => runner.state().status).toBe('waiting');
  const startedAt = performance.now();
  expect(runner.state()).toMatchObject({ message: 'Too many previews', retryInMs: 300 });
  files.text = 'newer';
  runner.request();
  const next = await nextRender(2);
  expect(performance.now() - startedAt, 'a save does not shorten the pause').toBeGreaterThan(250);
  expect(next.text).toBe('newer');
  next.end(shown('newer'));
  await expect.poll(() => runner.state().status).toBe('shown');
  expect(states.map(({ status }) => status)).toContain('waiting');
  await runner.stop();
});

test('a service that does not answer is asked again by itself, and at once when a file is saved', async () => {
  const { runner, nextRender } = createBench();
  const lost: Outcome = { kind: 'waiting', message: 'The service cannot be reached.', retryAfterMs: undefined };
  runner.request();
  (await nextRender(1)).end(lost);
  (await nextRender(2)).end(lost);
  await expect.poll(() => runner.state().status).toBe('offline');
  runner.request();
  (await nextRender(3)).end(shown('back'));
  await expect.poll(() => runner.state()).toMatchObject({ status: 'shown', message: null });
  await runner.stop();
});

test('a mistake keeps the pages before it', async () => {
  const { runner, files, nextRender } = createBench();
  runner.request();
  (await nextRender(1)).end(shown('good'));
  await expect.poll(() => runner.state().status).toBe('shown');
  const { pages } = runner.state();
  files.text = 'bad';
  runner.request();
  (await nextRender(2)).end({ kind: 'failed', problems: [{ message: 'The tag is not closed.' }] });
  await expect.poll(() => runner.state().status).toBe('failed');
  expect(runner.state()).toMatchObject({ pages, problems: [{ message: 'The tag is not closed.' }] });
  await runner.stop();
});

test('stop ends what is under way, and nothing is published afterwards', async () => {
  const { runner, nextRender, states } = createBench();
  runner.request();
  const { signal } = await nextRender(1);
  const count = states.length;
  await runner.stop();
  expect([signal.aborted, states.length]).toEqual([true, count]);
});

test('files that cannot be read are a problem, and heal', async () => {
  let isBroken = true;
  const runner = createCaseRunner(
    async () => {
      if (isBroken) throw new Error('letter.docx is missing.');
      return { fingerprint: 'a', dataVersion: null, render: async () => shown('a') };
    },
    () => undefined,
  );
  runner.request();
  await expect.poll(() => runner.state().problems).toEqual([{ message: 'letter.docx is missing.' }]);
  isBroken = false;
  runner.request();
  await expect.poll(() => runner.state().status).toBe('shown');
  await runner.stop();
});
