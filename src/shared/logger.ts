import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

/**
 * Logs JSON lines to standard output. Callers never pass request bodies, document data, addresses or keys; the
 * redaction is a second safeguard. `onLine` gets each line too.
 */
export function createLogger(level: string, name: string, onLine?: (line: string) => void): Logger {
  const output = destination({ dest: 1, sync: false, minLength: 0 });
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
    onLine === undefined ? output : tee(output, onLine),
  );
}

function tee(output: DestinationStream, onLine: (line: string) => void): DestinationStream {
  return {
    write(line) {
      output.write(line);
      onLine(line);
    },
  };
}
