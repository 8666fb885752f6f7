import { expect, test } from 'vitest';
import { waitUntil } from '../../../../tools/local/processes/wait-until.ts';

test('the check is repeated until it returns true, and counts as false when it throws', async () => {
  const answers = [false, new Error('not yet'), true];
  const check = async (): Promise<boolean> => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? false;
  };
  await waitUntil(check, { what: 'it', timeoutMs: 5_000, intervalMs: 1 });
  expect(answers).toEqual([]);
});

test('waiting ends at the time limit and names what it waited for', async () => {
  const waiting = waitUntil(async () => false, { what: 'the end', timeoutMs: 10, intervalMs: 1 });
  await expect(waiting).rejects.toThrow('the end took longer than 0.01 seconds');
});

test('waiting ends at once when it has become pointless', async () => {
  const abandoned = Promise.reject(new Error('it left'));
  await expect(waitUntil(async () => false, { what: 'it', timeoutMs: 60_000, abandoned })).rejects.toThrow('it left');
});

test('reminds while it waits', async () => {
  const reminders: number[] = [];
  const remind = (seconds: number): void => void reminders.push(seconds);
  const check = async () => reminders.length >= 2;
  await waitUntil(check, { what: 'it', timeoutMs: 60_000, intervalMs: 1, remind, remindEveryMs: 5 });
  expect(reminders.length).toBeGreaterThanOrEqual(2);
});
