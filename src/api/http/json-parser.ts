import { Tinypool } from 'tinypool';
import { AppError } from '../../shared/errors.ts';
import { createKeyedLimiter } from '../../shared/keyed-limiter.ts';
import { resolveEntry } from '../../shared/resolve-entry.ts';
import type { ThreadAnswer } from './json-thread-main.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';

export interface JsonParser {
  /**
   * Parses JSON text. Large text, which is in shared memory, is parsed in a thread so that other requests are not
   * delayed; accounts alternate. Throws `unavailable` when the thread is busy for longer than 30 seconds.
   */
  parse(accountId: string, text: Buffer): Promise<ParsedJson>;
  close(): Promise<void>;
}

const idleTimeoutMs = 60_000;
const maxWaitMs = 30_000;

/** More than any body of 10 MB needs: the densest ones use a third of it. */
const heapMb = 1_024;

export function createJsonParser(): JsonParser {
  const { file, execArgv } = resolveEntry('./json-thread-main', import.meta.url, 'thread');
  const pool = new Tinypool({
    filename: file,
    execArgv: [...execArgv],
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleTimeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const limiter = createKeyedLimiter({ maxPerKey: 1 });

  const parseLarge = async (accountId: string, text: Buffer): Promise<ParsedJson> => {
    const permit = await limiter.acquire(accountId, maxWaitMs);
    if (permit === undefined) {
      throw new AppError('unavailable', 'Large requests take too long. Try again later.', { retryAfterSeconds: 5 });
    }
    try {
      const answer: ThreadAnswer = await pool.run(text);
      if ('problem' in answer) return answer;
      const { value, data } = answer;
      return { value, data: data === undefined ? undefined : Buffer.from(data.buffer, data.byteOffset, data.length) };
    } finally {
      permit.release();
    }
  };

  return {
    parse: async (accountId, text) =>
      text.buffer instanceof SharedArrayBuffer ? await parseLarge(accountId, text) : parseJson(text),
    close: () => pool.destroy(),
  };
}
