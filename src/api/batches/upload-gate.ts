import { AppError } from '../../shared/errors.ts';

export interface UploadGateOptions {
  readonly maxUploads: number;
  readonly maxUploadsPerAccount: number;
  /** How many may write their rows at a time: each holds a connection of the pool for seconds. */
  readonly maxWriting: number;
}

/** Bounds what batches on their way in take of this process: memory, time of its one thread, and connections. */
export interface UploadGate {
  /** Takes a place; throws `unavailable` when all are taken. */
  enter(accountId: string): { leave(): void };
  /** Runs `work` when it is its turn to write. */
  write<T>(work: () => Promise<T>): Promise<T>;
}

export function createUploadGate(options: UploadGateOptions): UploadGate {
  const uploads = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let total = 0;
  let writing = 0;
  return {
    enter(accountId) {
      const own = uploads.get(accountId) ?? 0;
      if (total >= options.maxUploads || own >= options.maxUploadsPerAccount) {
        throw new AppError('unavailable', 'Too many batches are being uploaded. Try again shortly.', {
          retryAfterSeconds: 5,
        });
      }
      total += 1;
      uploads.set(accountId, own + 1);
      return {
        leave: () => {
          total -= 1;
          const left = (uploads.get(accountId) ?? 1) - 1;
          if (left === 0) uploads.delete(accountId);
          else uploads.set(accountId, left);
        },
      };
    },
    async write(work) {
      if (writing >= options.maxWriting) await new Promise<void>((resolve) => waiting.push(resolve));
      else writing += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) writing -= 1;
        else next();
      }
    },
  };
}
