import { describe, expect, test } from 'vitest';
import { detailsOf, remedyOf } from '../../../../src/console/documents/failure-details.ts';
import { toJobQuery } from '../../../../src/console/documents/job-query.ts';
import { timelineOf } from '../../../../src/console/documents/timeline.ts';

const acceptedMs = Date.parse('2026-11-20T10:00:00.000Z');
const at = (ms: number): string => new Date(acceptedMs + ms).toISOString();
const job = {
  id: 'doc_1',
  status: 'succeeded',
  templateId: 'tpl_1',
  templateVersion: 1,
  format: 'pdf',
  filename: 'a.pdf',
  warnings: [],
  createdAt: at(0),
} as const;
const spans = (steps: ReturnType<typeof timelineOf>['making']) =>
  steps.map(({ key, startMs, endMs }) => [
    key,
    startMs - acceptedMs,
    endMs === undefined ? undefined : endMs - acceptedMs,
  ]);

describe('the timeline of a document', () => {
  test('follows its recorded durations without a gap', () => {
    const timings = { queueMs: 20, renderMs: 50, convertMs: 400, totalMs: 500 };
    const { making } = timelineOf({ ...job, timings, startedAt: at(20), finishedAt: at(500) });
    expect(spans(making)).toEqual([
      ['queue', 0, 20],
      ['render', 20, 70],
      ['convert', 70, 470],
      ['store', 470, 500],
    ]);
  });

  test('has no conversion for a Word file, and never ends before it begins', () => {
    const timings = { queueMs: 20, renderMs: 50, convertMs: 0, totalMs: 65 };
    const { making } = timelineOf({ ...job, format: 'docx', timings, finishedAt: at(65) });
    expect(spans(making)).toEqual([
      ['queue', 0, 20],
      ['render', 20, 70],
      ['store', 70, 70],
    ]);
  });

  test('has no end while the document waits or is produced', () => {
    expect(spans(timelineOf({ ...job, status: 'queued' }).making)).toEqual([['queue', 0, undefined]]);
    expect(spans(timelineOf({ ...job, status: 'running', startedAt: at(30) }).making)).toEqual([
      ['queue', 0, 30],
      ['work', 30, undefined],
    ]);
  });

  test('ends where a failed or cancelled document ended', () => {
    const failed = timelineOf({ ...job, status: 'failed', startedAt: at(30), finishedAt: at(80) }).making;
    expect(failed.at(-1)).toMatchObject({ key: 'work', endMs: acceptedMs + 80, tone: 'bad' });
    expect(spans(timelineOf({ ...job, status: 'cancelled', finishedAt: at(10) }).making)).toEqual([['queue', 0, 10]]);
  });

  test('continues with the e-mails and the webhooks after it, and shows no other step twice', () => {
    const late = { status: 'failed', startedAt: at(500), finishedAt: at(490) } as const;
    const own = { step: 'webhook', eventType: 'document.succeeded', webhookId: 'whk_1' } as const;
    const sent = { status: 'succeeded', startedAt: at(500), finishedAt: at(900), message: '250 OK' } as const;
    const { after } = timelineOf({ ...job, finishedAt: at(500) }, [
      { step: 'queue', status: 'succeeded', startedAt: at(0), finishedAt: at(20) },
      { step: 'email', ...sent, attempts: 2, deliveryId: 'dlv_1' },
      { ...own, status: 'succeeded', startedAt: at(500), finishedAt: at(640), attempts: 1, deliveryId: 'whd_1' },
      { ...own, ...late, attempts: 8, deliveryId: 'whd_2', message: 'HTTP 500' },
      { ...own, status: 'waiting', startedAt: at(500), attempts: 0, deliveryId: 'whd_3' },
      { step: 'email', status: 'waiting', startedAt: at(950), attempts: 1, deliveryId: 'dlv_2' },
    ]);
    expect(spans(after)).toEqual([
      ['dlv_1', 500, 900],
      ['whd_1', 500, 640],
      ['whd_2', 500, 500],
      ['whd_3', 500, undefined],
      ['dlv_2', 950, undefined],
    ]);
    expect(after.map(({ tone }) => tone)).toEqual(['good', 'good', 'bad', 'info', 'info']);
    expect(after[0]).toMatchObject({ name: 'E-mail', href: '/deliveries/dlv_1', about: '2 attempts' });
    expect(after[1]).toMatchObject({ name: 'Webhook', href: '/webhooks/whk_1' });
    expect(after[2]?.about).toBe('document.succeeded · 8 attempts · HTTP 500');
  });
});

describe('the reason why a document failed', () => {
  test('names the location of every detail, and leaves out a detail that repeats the message', () => {
    const details = detailsOf({
      status: 400,
      message: 'The data does not fit the template',
      details: [
        { type: 'Message', message: 'The data does not fit the template' },
        { type: 'Message', message: 'The value is missing.', tag: 'customer.name', part: 'header 1', context: 'Dear' },
        { type: 'Field', message: 'must be a number', path: 'data.total', hint: 'Send 12.5, not "12.5".' },
      ],
    });
    const hint = 'Send 12.5, not "12.5".';
    expect(details).toEqual([
      { message: 'The value is missing.', places: ['{customer.name}', 'in header 1'], context: 'Dear' },
      { message: 'must be a number', places: ['data.total'], hint },
    ]);
  });

  test.each([
    [400, 'data'],
    [402, 'quota'],
    [429, 'busy'],
    [500, 'service'],
    [503, 'busy'],
    [504, 'busy'],
  ])('includes what to do after a %d: %s', (status, remedy) => {
    expect(remedyOf(status)).toBe(remedy);
  });
});

describe("filters in the page's address", () => {
  const none = { search: '', status: '', template: '', format: '', period: '', test: '', batch: '' };
  const batch = `bat_${'0'.repeat(26)}`;
  const template = `tpl_${'0'.repeat(26)}`;

  test.each([
    ['nothing', {}, {}],
    [
      'search, status and template',
      { search: 'ada', status: 'failed', template },
      { search: 'ada', status: 'failed', templateId: template },
    ],
    [
      'time, format, kind and batch',
      { format: 'pdf', period: '24h', test: 'false', batch },
      { format: 'pdf', from: '2026-11-19T10:00:00.000Z', test: false, batchId: batch },
    ],
    [
      'nothing of what the service would refuse',
      { search: 'a', status: 'done', template: '<script>', format: 'odt', period: '1y', test: '1', batch: 'b' },
      {},
    ],
  ])('become a query to the service: %s', (_what, values, query) => {
    expect(toJobQuery({ ...none, ...values }, acceptedMs)).toEqual(query);
  });
});
