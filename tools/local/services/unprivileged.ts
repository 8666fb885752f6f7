import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProgram } from './find-program.ts';

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * The user that runs PostgreSQL if this process is root, because PostgreSQL refuses to run as root. Undefined if it is
 * not root.
 */
export function findUnprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error("PostgreSQL cannot run as root, and neither the user 'postgres' nor 'nobody' exists");
}

/**
 * The command line that runs a program as that user. If the user cannot enter a folder on the path (such as a checkout
 * below /root), the program keeps the single capability that permits it.
 */
export function launchAs(user: User | undefined, command: string, args: readonly string[], reads: string[]): Launch {
  if (user === undefined) return { command, args };
  const closed = [command, ...reads].map((path) => findClosedFolder(path, user)).find((folder) => folder !== undefined);
  if (closed === undefined) return { command, args, owner: { uid: user.uid, gid: user.gid } };
  const setpriv = findProgram('setpriv', '/usr/bin:/bin:/usr/local/bin');
  const capability = findCapability();
  if (setpriv === undefined || capability === undefined) {
    throw new Error(`PostgreSQL runs as '${user.name}', who has no access to ${closed}: run 'chmod o+x ${closed}'`);
  }
  const become = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'];
  // access(2) ignores capabilities unless the secure bit is set, and exec drops all but the ambient one.
  const keep = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`];
  return { command: setpriv, args: [...become, ...keep, '--', command, ...args] };
}

function findClosedFolder(path: string, user: User): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function findCapability(): string | undefined {
  try {
    const held = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    const bits = BigInt(`0x${held}`);
    if ((bits & 4n) !== 0n) return 'dac_read_search';
    return (bits & 2n) === 0n ? undefined : 'dac_override';
  } catch {
    return undefined;
  }
}
