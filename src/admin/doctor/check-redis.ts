import { loadMemoryConfig, loadRedisConfig } from '../../shared/config/load-config.ts';
import { createLogger } from '../../shared/logger.ts';
import { replyCodeOf } from '../../shared/queue/errors.ts';
import { closeRedis, openRedis, type Redis, redisReady, serversOf } from '../../shared/queue/redis.ts';
import { compareClock, type Finding, failed, ok, reasonOf, warning } from './finding.ts';
import { aclOf, checkOtherKeys, tryRedis } from './try-redis.ts';

const connectMs = 5_000;
const minVersion = [6, 2] as const;
const fullShare = 0.8;
/** The memory for a waiting document with 2 KB of data, as in `scaling.md`. */
const documentKilobytes = 3.2;

/** Checks the version, eviction policy, memory, persistence, rights and clock of Redis, and who else uses it. */
export async function checkRedis(): Promise<readonly Finding[]> {
  let lastError: unknown;
  const config = loadRedisConfig();
  const redis = openRedis(config, 'commands', createLogger('silent', 'doctor'));
  redis.on('error', (error: unknown) => {
    lastError = error;
  });
  try {
    await redisReady(redis, connectMs);
    const info = await readInfo(redis);
    const memory = checkMemory(info, neededMegabytes() / Math.max(1, serversOf(redis).length));
    return [
      checkServer(info),
      checkPolicy(info),
      memory,
      checkPersistence(info),
      await tryRedis(redis, config, config.QUEUE_PREFIX),
      await checkOtherKeys(redis, config.QUEUE_PREFIX),
      await checkClock(redis),
    ];
  } catch (error) {
    if (replyCodeOf(error) === 'NOPERM')
      return [failed('redis rights', reasonOf(error), `Give the user of REDIS_URL ${aclOf(config.QUEUE_PREFIX)}`)];
    const fix = 'Check the host, port, user and password in REDIS_URL, and that the server listens on this network';
    return [failed('redis', `no connection: ${reasonOf(lastError ?? error)}`, fix)];
  } finally {
    await closeRedis(redis);
  }
}

type Info = ReadonlyMap<string, string>;

/** Reads the info of the server, or of one node of a cluster. */
async function readInfo(redis: Redis): Promise<Info> {
  const text = await redis.info();
  return new Map([...text.matchAll(/^([a-z0-9_]+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));
}

function checkServer(info: Info): Finding {
  const version = info.get('redis_version') ?? 'unknown';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1]);
  if (isOld) return failed('redis', `version ${version} is older than 6.2`, 'Upgrade Redis to 6.2 or newer');
  if (info.get('role') === 'slave')
    return failed('redis', 'the server is a read-only replica', 'Point REDIS_URL at the primary server');
  return ok('redis', `version ${version} answers`);
}

function checkPolicy(info: Info): Finding {
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  if (policy === 'noeviction') return ok('redis policy', 'noeviction: queued documents are never dropped');
  const fix = 'Set maxmemory-policy noeviction in redis.conf, or in the parameter group of the managed service';
  if (policy === 'unknown') return warning('redis policy', 'the server does not show its maxmemory-policy', fix);
  return failed(
    'redis policy',
    `maxmemory-policy is ${policy}: queued documents may be dropped, and no process starts`,
    fix,
  );
}

/**
 * The memory for everything that the limits allow to wait: data and files, whose size Redis rounds up; the rows of the
 * two batch queues; and documents whose data is too small to be counted.
 */
function neededMegabytes(): number {
  const { WAITING_DATA_MB, BATCH_WINDOW_MB, QUEUE_DEPTH_LIMIT } = loadMemoryConfig();
  return Math.ceil(WAITING_DATA_MB * 1.25 + BATCH_WINDOW_MB * 2 + (QUEUE_DEPTH_LIMIT * documentKilobytes) / 1024);
}

/** Checks the memory of one server, which needs `needed` megabytes. */
function checkMemory(info: Info, needed: number): Finding {
  const [used, max] = [Number(info.get('used_memory') ?? 0), Number(info.get('maxmemory') ?? 0)];
  const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2);
  const atLeast = Math.ceil(needed);
  if (max === 0) {
    const fix = `Set maxmemory to at least ${atLeast}mb, and to at most three quarters of the memory of the machine or container`;
    return warning('redis memory', `${megabytes(used)} MB in use, without a limit: no maxmemory is set`, fix);
  }
  if (megabytes(max) < atLeast) {
    const message = `maxmemory is ${megabytes(max)} MB, and the limits of waiting documents allow ${atLeast} MB`;
    const fix = `Set maxmemory to at least ${atLeast}mb, or lower WAITING_DATA_MB, BATCH_WINDOW_MB or QUEUE_DEPTH_LIMIT`;
    return warning('redis memory', message, fix);
  }
  const message = `${megabytes(used)} of ${megabytes(max)} MB in use`;
  if (used < max * fullShare) return ok('redis memory', message);
  return warning('redis memory', `${message}: a full Redis refuses new documents`, 'Raise maxmemory, or add workers');
}

/** Without persistence, a restart of Redis loses the data of waiting documents, which then fail without a charge. */
function checkPersistence(info: Info): Finding {
  const hasLog = info.get('aof_enabled') === '1';
  const hasFailed = info.get('rdb_last_bgsave_status') === 'err' || info.get('aof_last_write_status') === 'err';
  if (hasFailed)
    return failed('redis persistence', 'Redis cannot write its files', 'Free disk space for Redis, and see its log');
  if (hasLog) return ok('redis persistence', 'append-only file');
  return warning(
    'redis persistence',
    'no append-only file: waiting documents fail, without a charge, when Redis restarts',
    'Set appendonly yes with appendfsync everysec',
  );
}

async function checkClock(redis: Redis): Promise<Finding> {
  const before = Date.now();
  const [seconds, microseconds] = await redis.time();
  const ms = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  return compareClock('clock of redis', ms, before - 1, Date.now() + 1);
}
