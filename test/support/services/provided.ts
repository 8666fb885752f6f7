import type { StackLine } from './local-stack.ts';

/** A running stack, and where its operator's commands are run when there is such a place. */
export interface StackWithDesk extends StackLine {
  readonly deskUrl?: string;
}

declare module 'vitest' {
  /** The first five are for the integration ring (`backing-services.ts`), `stack` for the acceptance ring. */
  interface ProvidedContext {
    databaseUrl: string;
    redisUrl: string;
    s3: { endpoint: string; accessKey: string; secretKey: string; bucket: string; region: string };
    smtpUrl: string;
    mailDir: string;
    stack: StackWithDesk;
  }
}
