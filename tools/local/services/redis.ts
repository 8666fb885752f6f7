import { join } from 'node:path';
import { findProgram, installCommand } from './find-program.ts';
import { firstReply, type Service, type ServiceContext, startService } from './service.ts';

export interface Redis extends Service {
  readonly redisUrl: string;
}

/** A Redis that persists every write to an append-only file and never evicts, which the queues require. */
export async function startRedis(context: ServiceContext): Promise<Redis> {
  const { PATH: path } = context.env;
  const command = findProgram('redis-server', path);
  if (command === undefined) {
    const install = installCommand({ debian: 'redis-server', macos: 'redis' });
    throw new Error(`redis-server is missing: run '${install}'`);
  }
  const service = await startService(context, {
    spec: (port) => ({
      name: 'redis',
      command,
      args: serverArgs(context.layout.redis, port),
      env: context.env,
      logFile: join(context.layout.logs, 'redis.log'),
      stopSignal: 'SIGTERM',
      graceMs: 10_000,
      stopRank: 4,
    }),
    isReady: async (port) => (await firstReply(port, 'PING\r\n')).startsWith('+PONG'),
    timeoutMs: 120_000,
  });
  return { ...service, redisUrl: `redis://127.0.0.1:${service.port}` };
}

function serverArgs(folder: string, port: number): string[] {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    maxmemory: '1gb',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  return Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]);
}
