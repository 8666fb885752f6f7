import { Redis } from 'ioredis';
import pg from 'pg';
import { withStores } from '../../../src/admin/erasure/open-stores.ts';
import { eraseRecipient } from '../../../src/api/erasure/erase-recipient.ts';
import { openDatabase } from '../../../src/shared/db/client.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import type { ObjectStore } from '../../../src/shared/storage/objects.ts';

/**
 * Erases an address, and kills itself at one of its steps, which are queries, Redis commands and calls of the store.
 * Its arguments are `address step when`, where `when` is `sent` (as soon as the step is on its way) or `answered`. Prints
 * `finished` when it takes fewer steps.
 */
const [address = '', at = '', when = ''] = process.argv.slice(2);
let steps = 0;
let isCounting = false;

const end = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

function step(answer: unknown): unknown {
  if (!isCounting || !(answer instanceof Promise)) return answer;
  steps += 1;
  if (steps !== Number(at)) return answer;
  if (when === 'sent') {
    setImmediate(end);
    return answer;
  }
  void answer.then(end, end);
  return new Promise(() => undefined);
}

const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  return step(Reflect.apply(query, this, args));
} as typeof query;
const sendCommand = Redis.prototype.sendCommand;
Redis.prototype.sendCommand = function (this: Redis, ...args: Parameters<typeof sendCommand>) {
  return step(Reflect.apply(sendCommand, this, args));
};

const stepping = (objects: ObjectStore): ObjectStore =>
  new Proxy(objects, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function' ? (...args: unknown[]) => step(Reflect.apply(method, target, args)) : method;
    },
  });

const { db, close } = openDatabase(
  { url: process.env.DATABASE_URL ?? '', poolSize: 1, timeoutMs: 20_000, applicationName: 'docmill-test' },
  createLogger('silent', 'test'),
);
await withStores(db, async (stores) => {
  isCounting = true;
  await eraseRecipient({ ...stores, objects: stepping(stores.objects) }, address, undefined);
  isCounting = false;
});
await close();
process.stdout.write('finished');
