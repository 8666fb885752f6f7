import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection, postRequest } from '../http/connection.ts';
import type { LoadCommand, LoadReport, LoadSetup } from './load.ts';
import { type Scenario, scenarios, type Work } from './scenarios.ts';

/**
 * The busy account's client. It has the lowest priority, because it shares the cores with the service that it loads.
 */
setPriority(constants.priority.PRIORITY_LOW);

const calibrationMs = 3_000;
/** A refused client tries again after the shortest time that `Retry-After` can express. */
const refusedPauseMs = 1_000;
const floodConnections = 1_000;

let setup: LoadSetup | undefined;
let scenario: Scenario = scenarios.hangs;
let isStopped = false;
let sent = 0;
const statuses: Record<string, number> = {};

function requestOf(work: Work): Promise<Buffer> | Buffer {
  if (setup === undefined) throw new Error('the load has no setup');
  const { url, apiKey, templateIds } = setup;
  if (work.kind === 'upload') return uploadRequest(url, apiKey, work.file);
  const { format, data, template } = work;
  const body = JSON.stringify({ data: { canary: 'busy', ...(data as object) }, output: { format } });
  return postRequest({ url, apiKey, body, path: `/v1/templates/${templateIds[template]}/generate` });
}

async function uploadRequest(url: string, apiKey: string, file: Buffer): Promise<Buffer> {
  const form = new FormData();
  form.set('name', 'long.docx');
  form.set('file', new Blob([new Uint8Array(file)]), 'long.docx');
  const encoded = new Response(form);
  const contentType = encoded.headers.get('Content-Type') ?? '';
  const body = new Uint8Array(await encoded.arrayBuffer());
  return postRequest({ url, apiKey, path: '/v1/templates', contentType, body });
}

/** Sends one request after another over one connection until `isOver`; returns the number of 2xx responses. */
async function callRepeatedly(isOver: () => boolean, workOf: (index: number) => Work): Promise<number> {
  let connection: Connection | undefined;
  let done = 0;
  while (!isOver()) {
    const request = await requestOf(workOf(sent++));
    try {
      connection ??= await Connection.open(setup?.url ?? '');
      const { status } = await connection.send(request);
      count(String(status));
      if (status < 300) done += 1;
      if (status === 429 || status === 503) await delay(refusedPauseMs);
    } catch {
      count('none');
      connection?.close();
      connection = undefined;
      await delay(100);
    }
  }
  connection?.close();
  return done;
}

function count(status: string): void {
  if (!isStopped) statuses[status] = (statuses[status] ?? 0) + 1;
}

/** Sends requests on a schedule. A request that is due while every connection is busy counts as `unsent`. */
async function callOnSchedule(perSecond: number): Promise<void> {
  const idle: Connection[] = [];
  let open = 0;
  let due = 0;
  const startedAt = performance.now();
  const send = async (): Promise<void> => {
    const request = await requestOf(scenario.work(sent++));
    const connection = idle.pop() ?? (await Connection.open(setup?.url ?? ''));
    count(String((await connection.send(request)).status));
    idle.push(connection);
  };
  while (!isStopped) {
    const target = ((performance.now() - startedAt) * perSecond) / 1_000;
    for (; due < target; due++) {
      if (open >= floodConnections) {
        count('unsent');
        continue;
      }
      open += 1;
      void send()
        .catch(() => count('none'))
        .finally(() => {
          open -= 1;
        });
    }
    await delay(5);
  }
}

/** Measures the documents per second that the service completes for many callers. */
async function measureCapacity(): Promise<number> {
  const endsAt = performance.now() + calibrationMs;
  const isOver = (): boolean => performance.now() > endsAt;
  const done = await Promise.all(Array.from({ length: 32 }, () => callRepeatedly(isOver, scenario.work)));
  return (done.reduce((sum, each) => sum + each, 0) * 1_000) / calibrationMs;
}

async function prepare(given: LoadSetup): Promise<LoadReport> {
  setup = given;
  scenario = scenarios[given.scenario];
  // Builds what all requests share.
  await requestOf(scenario.work(0));
  const { quickBefore } = scenario;
  if (quickBefore !== undefined) {
    const endsAt = quickBefore.count;
    await Promise.all([1, 2].map(() => callRepeatedly(() => sent >= endsAt, quickBefore.work)));
  }
  const perSecond = scenario.isFlood === true ? (await measureCapacity()) * 10 : 0;
  for (const status of Object.keys(statuses)) delete statuses[status];
  return { perSecond, statuses: {}, processorShare: 0 };
}

let usedBefore = process.cpuUsage();
let startedAt = 0;
let plannedPerSecond = 0;

function start(parallel: number): void {
  usedBefore = process.cpuUsage();
  startedAt = performance.now();
  if (plannedPerSecond > 0) void callOnSchedule(plannedPerSecond);
  else for (let caller = 0; caller < parallel; caller++) void callRepeatedly(() => isStopped, scenario.work);
}

function report(): LoadReport {
  isStopped = true;
  const { user, system } = process.cpuUsage(usedBefore);
  const processorShare = (user + system) / 1_000 / (performance.now() - startedAt);
  return { perSecond: plannedPerSecond, statuses: { ...statuses }, processorShare };
}

process.on('message', (command: LoadCommand) => {
  const handle = async (): Promise<LoadReport> => {
    if (command.kind === 'prepare') {
      const prepared = await prepare(command.setup);
      plannedPerSecond = prepared.perSecond;
      return prepared;
    }
    if (command.kind === 'start') start(command.parallel);
    return command.kind === 'stop' ? report() : { perSecond: plannedPerSecond, statuses: {}, processorShare: 0 };
  };
  void handle()
    .catch((error: unknown) => ({ error: String(error) }))
    .then((reply) => process.send?.(reply, () => command.kind === 'stop' && process.exit(0)));
});
process.once('disconnect', () => process.exit(0));
