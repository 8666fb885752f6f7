import { expect, test } from 'vitest';
import { runLimited } from '../../../../src/console/templates/thumbnail-limiter.ts';

test('three requests run at a time, and failed and aborted ones release their permits', async () => {
  let running = 0;
  let most = 0;
  const request = async (): Promise<number> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    if (running === 1) throw new Error('no picture');
    return most;
  };
  const { signal } = new AbortController();
  const ended = await Promise.allSettled([
    ...Array.from({ length: 20 }, () => runLimited(request, signal)),
    runLimited(request, AbortSignal.abort()),
    ...Array.from({ length: 5 }, () => runLimited(request, signal)),
  ]);
  expect(ended).toHaveLength(26);
  expect(most).toBe(3);
  expect(ended[20]).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
  expect(await runLimited(async () => 'free', signal)).toBe('free');
});
