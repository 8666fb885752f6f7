import { ApiError, ConnectionError } from '@docmill/client';
import { expect, test } from 'vitest';
import { type Batch, followBatch } from '../../../../../src/console/batches/batch/follow-batch.ts';
import { groupFailures } from '../../../../../src/console/batches/batch/group-failures.ts';
import { emptyForm, toBatchOptions } from '../../../../../src/console/batches/start/output-form-state.ts';

const batchOf = (status: Batch['status'], warnings: Batch['warnings'] = []): Batch => ({
  id: 'bat_1',
  status,
  templateId: 'tpl_1',
  templateVersion: 1,
  format: 'pdf',
  bundle: 'zip',
  rows: 2,
  files: [],
  createdAt: '2026-11-01T00:00:00Z',
  counts: { queued: 0, running: 0, succeeded: 2, failed: 0, cancelled: 0 },
  warnings,
  ...(status === 'completed' && { finishedAt: '2026-11-01T00:00:10Z' }),
});

/** Follows a batch with these responses and streams, one after the other. An error among them is thrown. */
async function follow(answers: readonly (Batch | Error)[], streams: readonly (readonly (Batch | Error)[])[]) {
  const seen: string[] = [];
  const gets = [...answers];
  const opened = [...streams];
  const batches = {
    async get() {
      const answer = gets.shift();
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('nothing more was planned');
      return answer;
    },
    async *events() {
      for (const event of opened.shift() ?? []) {
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
  const { signal } = new AbortController();
  const onBatch = ({ status, warnings }: Batch) => void seen.push(`${status} ${warnings.length}`);
  await followBatch({ batches, id: 'bat_1', signal, onBatch, onConnection: (one) => void seen.push(one), pauseMs: 1 });
  return seen;
}

const warning = { code: 'font_missing', message: 'A font is missing.', rows: 1 };
const lost = new ConnectionError('lost');

test('events are followed to the end, and then the warnings are requested', async () => {
  const seen = await follow(
    [batchOf('accepted'), batchOf('completed', [warning])],
    [[batchOf('running'), batchOf('completed')]],
  );
  expect(seen).toEqual(['accepted 0', 'live', 'running 0', 'live', 'completed 0', 'completed 1']);
});

test('a lost connection is reported and retried, and a batch without events is polled', async () => {
  const seen = await follow(
    [batchOf('running'), lost, lost, batchOf('running'), batchOf('completed')],
    [[batchOf('running'), lost], [lost]],
  );
  expect(seen.join(', ')).toBe(
    'running 0, live, running 0, lost, lost, running 0, polling, completed 0, polling, live',
  );
});

test('a batch that does not exist is an error at once', async () => {
  const missing = new ApiError('There is no batch', { status: 404, code: 'not_found', details: [] });
  await expect(follow([missing], [])).rejects.toBe(missing);
});

test('failed rows are grouped by message and details, with the most frequent group first', () => {
  const failed = (row: number, message: string, ...details: string[]) => ({
    row,
    filename: `${row}.pdf`,
    error: { status: 400, message, details: details.map((text) => ({ message: text })) },
  });
  const rows = [failed(1, 'A'), failed(2, 'B', 'x', 'x'), failed(3, 'B', 'x'), { row: 4, filename: '4.pdf' }];
  const groups = groupFailures(rows, 'Failed').map(({ reason, rows: members }) => [
    reason,
    members.map(({ row }) => row),
  ]);
  expect(groups).toEqual([
    ['B – x', [2, 3]],
    ['A', [1]],
    ['Failed', [4]],
  ]);
});

test.each([
  [400, ['data.name: has no value'], false],
  [400, ['data.font: has no value'], false],
  [400, ['data.photo: names an asset that does not exist'], true],
  [400, ['No font has the character "李"'], true],
  [400, [], true],
  [503, [], true],
])('a row that failed with %s and the details %j may pass later: %s', (status, messages, mayPassLater) => {
  const error = { status, message: 'The document failed', details: messages.map((message) => ({ message })) };
  expect(groupFailures([{ row: 1, filename: '1.pdf', error }], 'Failed')).toMatchObject([{ mayPassLater }]);
});

test('the form becomes the options of the request, without empty fields and options of the other format', () => {
  expect(toBatchOptions(emptyForm)).toEqual({ output: { format: 'pdf' }, bundle: 'zip' });
  const filled = {
    ...emptyForm,
    bundle: 'pdf',
    filename: '{name}',
    maxFailures: '0',
    onMissing: 'highlight',
    externalContent: 'remove',
    pages: '1, 3-4',
    imageQuality: '70',
    forbidsCopying: true,
    sendsEmail: true,
    to: '{a, b}, x@example.com; y@example.com',
  } as const;
  expect(toBatchOptions(filled)).toEqual({
    output: {
      format: 'pdf',
      filename: '{name}',
      pdf: { pages: '1,3-4', imageQuality: 70, permissions: { copying: false } },
      email: { to: ['{a, b}', 'x@example.com', 'y@example.com'] },
    },
    bundle: 'pdf',
    maxFailures: 0,
  });
  expect(toBatchOptions({ ...filled, format: 'docx', sendsEmail: false })).toEqual({
    output: { format: 'docx', filename: '{name}', onMissing: 'highlight', docx: { externalContent: 'remove' } },
    bundle: 'zip',
    maxFailures: 0,
  });
});
