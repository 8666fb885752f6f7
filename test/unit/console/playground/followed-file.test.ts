import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FollowedFile, followFile } from '../../../../src/console/playground/followed-file.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const fileOf = (text: string, lastModified: number) => ({
  name: 'letter.docx',
  size: text.length,
  lastModified,
  arrayBuffer: async () => new TextEncoder().encode(text).buffer as ArrayBuffer,
});

test('a file is read again only after it was saved', async () => {
  const seen: FollowedFile[] = [];
  let current = fileOf('one', 1);
  const stop = followFile(current, { getFile: async () => current }, { onChange: (file) => void seen.push(file) });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(seen).toHaveLength(1);
  current = fileOf('two', 2);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await seen[1]?.content.text()).toBe('two');
  expect(seen[1]?.isFollowed).toBe(true);
  stop();
  current = fileOf('three', 3);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(seen).toHaveLength(2);
});

test('a file that is missing while a program replaces it is read once it is back', async () => {
  const seen: FollowedFile[] = [];
  let isAway = true;
  const getFile = async () => {
    if (isAway) throw new DOMException('gone', 'NotFoundError');
    return fileOf('two', 2);
  };
  const stop = followFile(fileOf('one', 1), { getFile }, { onChange: (file) => void seen.push(file) });
  await vi.advanceTimersByTimeAsync(2_500);
  isAway = false;
  await vi.advanceTimersByTimeAsync(1_500);
  expect(seen).toHaveLength(2);
  stop();
});

test('a file without a handle is read once', async () => {
  const seen: FollowedFile[] = [];
  followFile(fileOf('one', 1), undefined, { onChange: (file) => void seen.push(file) });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(seen.map(({ isFollowed }) => isFollowed)).toEqual([false]);
});
