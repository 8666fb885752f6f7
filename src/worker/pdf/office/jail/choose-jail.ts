import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Logger } from '../../../../shared/logger.ts';
import { importBridge, type OfficePrograms } from '../programs.ts';
import { makeSlotFolder } from '../slot-folder.ts';
import {
  bareJail,
  bubblewrapJail,
  type Jail,
  type JailContext,
  namespaceJail,
  privilegedBubblewrapJail,
  type SlotPaths,
  unprivilegedId,
} from './jail-kinds.ts';

const run = promisify(execFile);
const probeTimeoutMs = 15_000;

export type JailMode = 'auto' | 'required' | 'off';

/** Tries the kinds of jail, strongest first, on the real paths, and returns the first that works on this host. */
export async function chooseJail(
  mode: JailMode,
  programs: OfficePrograms,
  paths: SlotPaths,
  logger: Logger,
): Promise<Jail> {
  const context: JailContext = { programs, canDropRoot: await canDropRoot() };
  const strong = [bubblewrapJail(context, true), bubblewrapJail(context, false), privilegedBubblewrapJail(context)];
  const weaker = [namespaceJail(context), bareJail(context)];
  const choices: Record<JailMode, readonly (Jail | undefined)[]> = {
    auto: [...strong, ...weaker],
    required: strong,
    off: [bareJail(context)],
  };
  const reasons: string[] = [];
  for (const jail of choices[mode]) {
    if (jail === undefined) continue;
    const reason = await probeFailure(jail, programs, paths);
    if (reason === undefined) {
      report(mode, jail, reasons, logger);
      return jail;
    }
    reasons.push(`${jail.level}: ${reason}`);
  }
  const fix = reasons.some((reason) => reason.includes('spawn bwrap ENOENT'))
    ? 'Install bubblewrap: apt-get install -y bubblewrap'
    : 'Allow user namespaces, mounts and a new /proc for this process: see "LibreOffice" in docs/operations/deployment.md';
  throw new Error(`LibreOffice could not be started in a jail (${[...new Set(reasons)].join('; ')}). ${fix}`);
}

/**
 * Logs a weaker jail than the mode asks for as an error, because a document that takes over LibreOffice then reaches
 * more.
 */
function report(mode: JailMode, jail: Jail, reasons: readonly string[], logger: Logger): void {
  const entry = { jail: jail.level, reasons };
  const message = `LibreOffice runs without the full jail: ${jail.description}`;
  if (jail.level === 'bubblewrap') logger.info({ jail: jail.level }, jail.description);
  else if (mode === 'off') logger.warn(entry, message);
  else logger.error(entry, `${message}. For production set OFFICE_JAIL=required, which refuses to start like this`);
}

async function probeFailure(jail: Jail, programs: OfficePrograms, paths: SlotPaths): Promise<string | undefined> {
  const { agentDir, jobsDir, temporaryDir } = jail.inner(paths);
  const writable = JSON.stringify([jobsDir, temporaryDir]);
  const probe = `${importBridge(programs.bridgeDir)}; import os; os.listdir("/etc"); open("${agentDir}/agent.py"); [open(d + "/probe", "w") for d in ${writable}]`;
  const { file, args, env, uid } = jail.wrap(paths, [programs.python, '-IBc', probe]);
  try {
    await makeSlotFolder(paths.slotDir, jail.fileOwner);
    const identity = uid === undefined ? {} : { uid, gid: uid };
    await run(file, args, { env, cwd: '/', timeout: probeTimeoutMs, killSignal: 'SIGKILL', ...identity });
    return undefined;
  } catch (error) {
    return firstLine(error);
  } finally {
    await rm(paths.slotDir, { recursive: true, force: true });
  }
}

/** False when root cannot switch users, as in some containers: LibreOffice then runs as the container's root. */
async function canDropRoot(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  try {
    await run('/bin/sh', ['-c', ':'], { uid: unprivilegedId, gid: unprivilegedId, cwd: '/', env: {} });
    return true;
  } catch {
    return false;
  }
}

function firstLine(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return (stderr === '' ? error.message : stderr).split('\n').at(-1)?.slice(0, 200) ?? 'unknown';
}
