import type { Measured } from './measure-point.ts';

const head = [
  ...['format', 'API', 'slots', 'accounts', 'docs/s', 'of ideal', 'median ms', 'p95 ms', 'cores'],
  ...['api ms', 'worker ms', 'redis ms', 'postgres ms', 'load ms', 'redis calls', 'redis in', 'redis out'],
  ...['statements', 'WAL bytes'],
];

/** Lines of a table, a point in each; processor time is of a core, for one document. */
export function tableOf(points: readonly Measured[]): readonly string[] {
  const rows = points.map((point) => {
    const { processorMs, redis, postgres } = point;
    return [
      ...[point.format, point.apis, point.slots, point.accounts, point.perSecond.toFixed(0)],
      ...[point.ofIdeal.toFixed(2), point.medianMs.toFixed(0), point.p95Ms.toFixed(0), point.coresBusy.toFixed(2)],
      ...['api', 'worker', 'redis', 'postgres', 'load'].map((part) => (processorMs[part] ?? 0).toFixed(2)),
      ...[redis.callsPerDocument.toFixed(1), redis.receivedBytesPerDocument, redis.sentBytesPerDocument],
      ...[postgres.statementsPerDocument.toFixed(2), postgres.walBytesPerDocument],
    ].map(String);
  });
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}
