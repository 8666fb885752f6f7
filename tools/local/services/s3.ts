import { join } from 'node:path';
import { ownProgram, type Service, type ServiceContext, startService } from './service.ts';

export interface S3Access {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface S3 extends Service {
  readonly access: S3Access;
}

const bucket = 'docmill';

/** An S3 server that stores objects in a folder. s3rver has a single fixed account. */
export async function startS3(context: ServiceContext): Promise<S3> {
  const service = await startService(context, {
    spec: (port) => ({
      name: 's3',
      ...ownProgram('s3-server.mjs', [String(port), context.layout.s3, bucket]),
      env: context.env,
      logFile: join(context.layout.logs, 's3.log'),
      stopSignal: 'SIGTERM',
      graceMs: 5_000,
      stopRank: 3,
    }),
    isReady: async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) });
      await answer.body?.cancel();
      return true;
    },
    timeoutMs: 120_000,
  });
  const endpoint = `http://127.0.0.1:${service.port}`;
  return {
    ...service,
    access: { endpoint, region: 'us-east-1', bucket, accessKey: 'S3RVER', secretKey: 'S3RVER' },
  };
}
