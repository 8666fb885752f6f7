import type { StackLine } from './local-stack.ts';

/** A running stack, and the server that runs operator commands on its database, if there is one. */
export interface StackWithOperator extends StackLine {
  readonly operatorUrl?: string;
}

declare module 'vitest' {
  /** The first five are for the integration suite (`integration-services.ts`), `stack` is for the acceptance suite. */
  interface ProvidedContext {
    databaseUrl: string;
    redisUrl: string;
    s3: { endpoint: string; accessKey: string; secretKey: string; bucket: string; region: string };
    smtpUrl: string;
    mailDir: string;
    stack: StackWithOperator;
  }
}
