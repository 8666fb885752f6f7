import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { readMetricNames, readSamples, type Sample } from './read-metrics.ts';

const { newClient } = await useService(inject('stack'));

/** The sum of the samples with this name and all of these labels. */
const sumOf = (samples: readonly Sample[], name: string, wanted: Sample['labels'] = {}): number =>
  samples
    .filter((sample) => sample.name === name)
    .filter(({ labels }) => Object.entries(wanted).every(([label, text]) => labels[label] === text))
    .reduce((sum, { value }) => sum + value, 0);

test('requests, jobs and queues are counted', async () => {
  const client = await newClient({ docs: 2 });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const before = await readSamples();
  for (const [format, status] of [
    ['docx', 200],
    ['pdf', 200],
    ['docx', 402],
  ] as const)
    expect((await client.generate(id, { data: { name: 'Ada' }, output: { format } })).status).toBe(status);
  const route = '/v1/templates/:id/generate';
  const expected: readonly (readonly [name: string, labels: Sample['labels'], more: number])[] = [
    ['docmill_http_requests_total', { route, method: 'POST', status: '200' }, 2],
    ['docmill_http_requests_total', { route, status: '402' }, 1],
    ['docmill_http_request_duration_seconds_count', { route }, 3],
    ['docmill_http_errors_total', { code: 'quota_exceeded' }, 1],
    ['docmill_documents_total', { format: 'docx', outcome: 'succeeded' }, 1],
    ['docmill_documents_total', { format: 'pdf', outcome: 'succeeded' }, 1],
    ['docmill_office_conversions_total', { pool: 'single' }, 1],
    ['docmill_cache_lookups_total', { cache: 'template' }, 2],
    ['docmill_statement_documents_sum', { statement: 'settle' }, 2],
  ];
  // A worker counts a document shortly after it notifies the API. Other files use the stack at the same time.
  const missing = async () => {
    const after = await readSamples();
    return expected.filter(([name, labels, more]) => sumOf(after, name, labels) - sumOf(before, name, labels) < more);
  };
  await expect.poll(missing).toEqual([]);
  const queueStats = async () =>
    (await readSamples()).filter(({ labels }) => labels.queue === 'pdf').map(({ name }) => name);
  await expect
    .poll(queueStats)
    .toEqual(expect.arrayContaining(['docmill_queue_jobs', 'docmill_queue_oldest_job_age_seconds']));
  const after = await readSamples();
  expect(sumOf(after, 'docmill_office_slots', { state: 'wanted', pool: 'single' })).toBeGreaterThan(0);
  expect(sumOf(after, 'docmill_office_info', { pool: 'single', name: 'LibreOffice' })).toBeGreaterThan(0);
  expect(sumOf(after, 'docmill_database_connections')).toBeGreaterThan(1);
});

test('labels contain no client input: unknown paths, ids and methods share one label', async () => {
  const client = await newClient();
  for (const path of ['/v1/templates/tpl_secret-7', '/nothing/secret-7', '/v1/secret-7?x=secret-7'])
    expect((await client.call('GET', path)).status).toBe(404);
  expect(JSON.stringify(await readSamples())).not.toContain('secret-7');
});

test('the page of metrics lists every metric of the service, and only those', async () => {
  const rows = readFileSync('docs/reference/metrics.md', 'utf8').match(/^\| `docmill_[^|]*/gm) ?? [];
  // Metrics of telemetry exist only with a collector.
  const listed = rows.flatMap((row) => row.match(/docmill_(?!telemetry_)\w+/g) ?? []);
  const served = [...(await readMetricNames())].filter((name) => name.startsWith('docmill_'));
  expect(listed.toSorted()).toEqual(served.toSorted());
});

test.each(['deploy/grafana/docmill.json', 'deploy/prometheus/alerts.yaml'])(
  '%s queries only metrics that exist',
  async (file) => {
    const queried = new Set(readFileSync(file, 'utf8').match(/\b(?:docmill|nodejs|process)_[a-z0-9_]+/g));
    const known = await readMetricNames();
    // Metrics of backups are written by scripts/backup, not by the service.
    const unknown = [...queried].filter(
      (name) => !known.has(name.replace(/_(bucket|sum|count)$/, '')) && !known.has(name) && !/_backup_/.test(name),
    );
    expect(queried.size).toBeGreaterThan(8);
    expect(unknown).toEqual([]);
  },
);
