/** A supervised process that does what its request says, like one that a hostile file controls. */
import { writeSync } from 'node:fs';
import { frameHead } from '../../../src/worker/supervisor/frame.ts';
import { answersFd } from '../../../src/worker/supervisor/frame-pipes.ts';
import { serveRequests } from '../../../src/worker/supervisor/serve-requests.ts';
import { openFiles } from './open-files.ts';

export type Act = keyof typeof acts;

export interface ActRequest {
  readonly act: Act;
  readonly bytes: Uint8Array;
}

/** Writes bytes as they are, and never returns a response. */
function say(bytes: Uint8Array): Promise<never> {
  writeSync(answersFd, bytes);
  return new Promise(() => undefined);
}

const acts = {
  echo: async (bytes: Uint8Array) => ({ kind: 'echo', bytes }),
  'what it has': async () => {
    const has = { env: process.env, files: openFiles(), channel: process.send !== undefined };
    return { kind: 'echo', bytes: Buffer.from(JSON.stringify(has)) };
  },
  throws: () => Promise.reject(new Error('a stack for the log')),
  exits: () => process.exit(3),
  silence: () => say(new Uint8Array()),
  'a full heap': () => {
    const kept: string[][] = [];
    for (;;) kept.push(new Array<string>(100_000).fill(''));
  },
  'no JSON': () => say(Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7b])),
  'a length of gigabytes': () => say(frameHead({ fields: {}, bytes: [] }, 2 ** 32 - 1)),
  'lengths that are not numbers': () => say(frameHead({ fields: { kind: 'echo' }, bytes: [['bytes', 'x']] }, 0)),
  'another kind': async () => ({ kind: 'surprise' }),
  'too much memory': async () => ({ kind: 'echo', bytes: Buffer.alloc(400_000_000, 'x') }),
} as const;

serveRequests<ActRequest, object>('docmill-scripted', ({ act, bytes }) => acts[act](bytes));
