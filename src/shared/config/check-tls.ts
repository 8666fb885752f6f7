import type { z } from 'zod';

interface PeerVariables {
  readonly REDIS_URL?: string | undefined;
  readonly REDIS_CA?: string | undefined;
  readonly REDIS_CERT?: string | undefined;
  readonly REDIS_KEY?: string | undefined;
  readonly S3_ENDPOINT?: string | undefined;
  readonly S3_CA?: string | undefined;
  readonly SMTP_URL?: string | undefined;
  readonly SMTP_CA?: string | undefined;
}

/** Rejects certificates on a plain-text connection, because setting them shows that TLS is expected. */
export function checkTls(config: PeerVariables, context: z.RefinementCtx): void {
  const refuse = (name: keyof PeerVariables, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message });
  const { REDIS_URL: redis = '', S3_ENDPOINT: s3 = '', SMTP_URL: smtp = '' } = config;
  for (const name of ['REDIS_CA', 'REDIS_CERT', 'REDIS_KEY'] as const) {
    if (config[name] !== undefined && redis.startsWith('redis:'))
      refuse(name, 'requires TLS, and REDIS_URL starts with redis://; use rediss://');
  }
  if (config.REDIS_CERT !== undefined && config.REDIS_KEY === undefined) refuse('REDIS_CERT', 'requires REDIS_KEY');
  if (config.REDIS_KEY !== undefined && config.REDIS_CERT === undefined) refuse('REDIS_KEY', 'requires REDIS_CERT');
  if (config.S3_CA !== undefined && s3.startsWith('http:'))
    refuse('S3_CA', 'requires TLS, and S3_ENDPOINT starts with http://; use https://');
  if (config.SMTP_CA !== undefined && smtp.startsWith('smtp:') && !/[?&]tls=required(&|$)/.test(smtp))
    refuse('SMTP_CA', 'requires TLS; use smtps://, or smtp:// with ?tls=required');
}
