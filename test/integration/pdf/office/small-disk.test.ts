import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Runs the host in a separate user namespace, whose root may mount a small tmpfs but maps no other user. */
async function convertOnSmallDisk(jail: 'auto' | 'off'): Promise<unknown> {
  const dir = await mkdtemp('/tmp/docmill-small-');
  try {
    await chmod(dir, 0o711);
    const script = 'mount -t tmpfs -o size=32m tmpfs "$1" && exec "$2" --import tsx "$3" "$1/pools" "$4"';
    const host = join(import.meta.dirname, 'small-disk-host.ts');
    const args = ['-Urm', 'sh', '-c', script, 'sh', dir, process.execPath, host, jail];
    return JSON.parse((await promisify(execFile)('unshare', args)).stdout);
  } finally {
    await rm(dir, { recursive: true });
  }
}

test.each(['auto', 'off'] as const)(
  'a conversion without disk space fails as unavailable and never drops a picture, jail %s',
  async (jail) => {
    expect(await convertOnSmallDisk(jail)).toEqual({
      outcomes: ['1 picture', 'unavailable', 'unavailable', '1 picture'],
      warm: 0,
    });
  },
);
