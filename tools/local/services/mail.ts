import { join } from 'node:path';
import { firstReply, ownProgram, type Service, type ServiceContext, startService } from './service.ts';

export interface Mail extends Service {
  readonly smtpUrl: string;
  readonly mailDir: string;
}

/** A mail server that delivers nothing and stores every mail as a file. */
export async function startMail(context: ServiceContext): Promise<Mail> {
  const { layout } = context;
  const service = await startService(context, {
    spec: (port) => ({
      name: 'mail',
      ...ownProgram('mail-catcher.mjs', [String(port), layout.mail, layout.mailIncoming]),
      env: context.env,
      logFile: join(layout.logs, 'mail.log'),
      stopSignal: 'SIGTERM',
      graceMs: 5_000,
      stopRank: 2,
    }),
    isReady: async (port) => (await firstReply(port, '')).startsWith('220'),
    timeoutMs: 120_000,
  });
  return { ...service, smtpUrl: `smtp://127.0.0.1:${service.port}`, mailDir: layout.mail };
}
