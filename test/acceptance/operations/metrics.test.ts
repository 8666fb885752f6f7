import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

async function read(): Promise<readonly Sample[]> {
  const texts = await Promise.all(stack.metricsUrls.map(async (url) => (await fetch(url)).text()));
  return texts.flatMap((text) =>
    [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
      name,
      labels,
      value: Number(value),
    })),
  );
}

/** The sum of the samples with this name and all of these labels. */
const sumOf = (samples: readonly Sample[], name: string, ...labels: readonly string[]): number =>
  samples
    .filter((sample) => sample.name === name && labels.every((label) => sample.labels.includes(label)))
    .reduce((sum, { value }) => sum + value, 0);

test('requests, jobs and queues are counted', async () => {
  const client = await newClient({ docs: 2 });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const before = await read();
  expect((await client.generate(id, { data: { name: 'Ada' } })).status).toBe(200);
  expect((await client.generate(id, { data: { name: 'Ada' }, output: { format: 'pdf' } })).status).toBe(200);
  expect((await client.generate(id, { data: { name: 'Ada' } })).status).toBe(402);
  const generate = 'route="/v1/templates/:id/generate"';
  // A worker counts a document shortly after it notifies the API.
  const more = async () => {
    const after = await read();
    const moreOf = (name: string, ...labels: readonly string[]): number =>
      sumOf(after, name, ...labels) - sumOf(before, name, ...labels);
    return {
      answers: moreOf('docmill_http_requests_total', generate, 'method="POST"', 'status="200"'),
      refusals: moreOf('docmill_http_requests_total', generate, 'status="402"'),
      times: moreOf('docmill_http_request_duration_seconds_count', generate),
      errors: moreOf('docmill_http_errors_total', 'code="quota_exceeded"'),
      docx: moreOf('docmill_documents_total', 'format="docx"', 'outcome="succeeded"'),
      pdf: moreOf('docmill_documents_total', 'format="pdf"', 'outcome="succeeded"'),
      conversions: moreOf('docmill_office_conversions_total', 'pool="single"'),
      lookups: moreOf('docmill_cache_lookups_total', 'cache="template"'),
    };
  };
  const expected = { answers: 2, refusals: 1, times: 3, errors: 1, docx: 1, pdf: 1, conversions: 1, lookups: 2 };
  // Other files use the stack at the same time.
  const isCounted = async () => {
    const counted: Readonly<Record<string, number>> = await more();
    return Object.entries(expected).filter(([name, count]) => (counted[name] ?? 0) < count);
  };
  await expect.poll(isCounted).toEqual([]);
  const after = await read();
  for (const name of ['docmill_queue_jobs', 'docmill_queue_oldest_job_age_seconds']) {
    expect(after.filter((sample) => sample.name === name && sample.labels.includes('queue="pdf"'))).not.toHaveLength(0);
  }
  expect(sumOf(after, 'docmill_office_slots', 'state="wanted"', 'pool="single"')).toBeGreaterThan(0);
  expect(sumOf(after, 'docmill_office_info', 'pool="single"', 'name="LibreOffice"')).toBeGreaterThan(0);
  expect(sumOf(after, 'docmill_database_connections')).toBeGreaterThan(1);
});

test('no label contains client input: unknown paths, ids and methods share one label', async () => {
  const client = await newClient();
  for (const path of ['/v1/templates/tpl_secret-7', '/nothing/secret-7', '/v1/secret-7?x=secret-7']) {
    expect((await client.call('GET', path)).status).toBe(404);
  }
  const samples = await read();
  expect(samples.filter(({ labels }) => labels.includes('secret-7'))).toEqual([]);
});

const typedNames = async (): Promise<ReadonlySet<string>> => {
  const texts = await Promise.all(stack.metricsUrls.map(async (url) => (await fetch(url)).text()));
  return new Set(texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)));
};

test('the page of metrics lists every metric of the service, and only those', async () => {
  const rows = readFileSync('docs/reference/metrics.md', 'utf8').match(/^\| `docmill_[^|]*/gm) ?? [];
  // Those of telemetry are there only with a collector.
  const listed = rows.flatMap((row) => row.match(/docmill_(?!telemetry_)\w+/g) ?? []);
  const served = [...(await typedNames())].filter((name) => name.startsWith('docmill_'));
  expect(listed.toSorted()).toEqual(served.toSorted());
});

test.each(['deploy/grafana/docmill.json', 'deploy/prometheus/alerts.yaml'])(
  '%s queries only metrics that exist',
  async (file) => {
    const queriedNames = new Set(readFileSync(file, 'utf8').match(/\b(?:docmill|nodejs|process)_[a-z0-9_]+/g));
    const kinds = /_(bucket|sum|count)$/;
    const known = await typedNames();
    // Written by scripts/backup, not by the service.
    const ofBackups = (name: string): boolean => name.startsWith('docmill_backup_');
    const unknown = [...queriedNames].filter(
      (name) => !known.has(name) && !known.has(name.replace(kinds, '')) && !ofBackups(name),
    );
    expect(queriedNames.size).toBeGreaterThan(8);
    expect(unknown).toEqual([]);
  },
);
