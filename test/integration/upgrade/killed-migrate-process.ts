import pg from 'pg';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';

/**
 * Migrates, and kills itself at one of its queries. Its arguments are `url folder query when`, where `when` is `sent`
 * (as soon as the query is on its way) or `answered`. Prints `finished` when it makes fewer queries.
 */
const [url = '', folder = '', at = '', when = ''] = process.argv.slice(2);
const end = (): void => {
  process.kill(process.pid, 'SIGKILL');
};
let queries = 0;
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  queries += 1;
  const isLast = queries === Number(at);
  const answer = Reflect.apply(query, this, args) as unknown;
  if (!isLast || !(answer instanceof Promise)) return answer;
  if (when === 'sent') setImmediate(end);
  else void answer.then(end, end);
  return when === 'sent' ? answer : new Promise(() => undefined);
} as typeof query;

await migrateDatabase(url, { folder });
process.stdout.write('finished');
