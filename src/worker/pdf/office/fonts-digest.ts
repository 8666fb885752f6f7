import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

const chunkBytes = 1024 * 1024;

/** Computes a digest of font files. Reads only those that have changed since the last call. */
export class FontsDigest {
  #known = new Map<string, { readonly state: string; readonly sha256: string }>();

  /**
   * SHA-256 (hex) of the contents of the files, regardless of their names and order. Omits files that cannot be read.
   */
  async of(files: readonly string[]): Promise<string> {
    const known = new Map<string, { readonly state: string; readonly sha256: string }>();
    for (const file of new Set(files)) {
      const content = await this.#read(file).catch(() => undefined);
      if (content !== undefined) known.set(file, content);
    }
    this.#known = known;
    const digests = new Set(Array.from(known.values(), ({ sha256 }) => sha256));
    return hash('sha256', [...digests].sort().join('\n'), 'hex');
  }

  async #read(file: string) {
    const { size, mtimeMs, ino } = await stat(file);
    const state = [size, mtimeMs, ino].join();
    const before = this.#known.get(file);
    if (before?.state === state) return before;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) hash.update(chunk);
    return { state, sha256: hash.digest('hex') };
  }
}
