import { type DestinationStream, destination, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

/**
 * Logs JSON lines to standard output. Callers never pass request bodies, document data, addresses or keys; the
 * redaction is a second safeguard. `onLine` also receives each line.
 */
export function createLogger(level: string, name: string, onLine?: (line: string) => void): Logger {
  const output = destination({ dest: 1, sync: false, minLength: 0 });
  return pino(optionsOf(level, name), onLine === undefined ? output : tee(output, onLine));
}

/** Logs why a process could not start. Writes synchronously, because the process may exit right afterwards. */
export function logFailedStart(name: string, error: unknown): void {
  pino(optionsOf('fatal', name), destination({ dest: 1, sync: true })).fatal({ err: error }, 'the start failed');
}

function optionsOf(level: string, name: string): LoggerOptions {
  return {
    name,
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: stdSerializers.err, error: stdSerializers.err },
    redact: {
      paths: ['authorization', '*.authorization', 'apiKey', '*.apiKey', 'headers.authorization', 'err.config'],
      censor: '[redacted]',
    },
  };
}

function tee(output: DestinationStream, onLine: (line: string) => void): DestinationStream {
  return {
    write(line) {
      output.write(line);
      onLine(line);
    },
  };
}
