import { destination, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

/**
 * Logs JSON lines to standard output. Callers never pass request bodies, document data, addresses or keys; the
 * redaction is a second safeguard.
 */
export function createLogger(level: string, name: string): Logger {
  return pino(
    {
      name,
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: stdSerializers.err, error: stdSerializers.err },
      redact: {
        paths: ['authorization', '*.authorization', 'apiKey', '*.apiKey', 'headers.authorization', 'err.config'],
        censor: '[redacted]',
      },
    },
    destination({ dest: 1, sync: false, minLength: 0 }),
  );
}
