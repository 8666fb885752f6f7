import { randomText } from '../../../../shared/ids.ts';
import { fontSettingsFile } from '../font-settings.ts';
import { homesOutsideUsr, type InnerPaths, officeState } from '../jail/jail-kinds.ts';
import type { OfficePrograms } from '../programs.ts';

const gibibyte = 1024 ** 3;
/** The limit of a file that LibreOffice writes, such as the PDF. A longer one ends there. */
export const maxFileBytes = 200 * 1024 * 1024;
const maxOpenFiles = 256;
/**
 * The limit of threads and processes in a slot. LibreOffice has about ten, plus one for each core. Linux counts them
 * per user: since 5.14 within the slot's own user namespace, before that over everything the user runs.
 */
const maxTasks = { alone: 512, shared: 8_192 } as const;
/** CPU time until the slot is warm, which takes two seconds. */
const startCpuSeconds = 60;
/** LibreOffice's threads may run in parallel, so a conversion may use more CPU time than its time limit. */
const cpuPerSecond = 2;
const readable = ['/usr', '/bin', '/lib', '/lib32', '/lib64', '/proc', '/etc/fonts', '/etc/libreoffice'].concat([
  '/etc/passwd',
  '/etc/group',
  '/etc/nsswitch.conf',
  '/etc/ld.so.cache',
  '/var/cache/fontconfig',
  ...officeState,
]);

export interface SlotLimits {
  readonly memoryLimitBytes: number;
  readonly convertTimeoutMs: number;
  readonly niceness?: number | undefined;
  /** Tables of this many rows or more are laid out in parts. */
  readonly longTableRows?: number | undefined;
}

/** Shorter tables take less CPU time if they stay whole. */
const defaultLongTableRows = 1_500;

/** The JSON argument of agent.py: paths inside the jail, and limits for the agent and LibreOffice. */
export function agentSettings(
  inner: InnerPaths,
  programs: OfficePrograms,
  { memoryLimitBytes, convertTimeoutMs, niceness = 0, longTableRows = defaultLongTableRows }: SlotLimits,
): string {
  return JSON.stringify({
    soffice: programs.soffice,
    bridgeDir: programs.bridgeDir ?? null,
    allocator: programs.allocator ?? null,
    profileDir: inner.profileDir,
    profileSettings: `${inner.agentDir}/registrymodifications.xcu`,
    fontSettings: `${inner.agentDir}/${fontSettingsFile}`,
    pipeName: `docmill-${randomText(12)}`,
    jobsDir: inner.jobsDir,
    temporaryDir: inner.temporaryDir,
    niceness,
    startCpuSeconds,
    convertSeconds: convertTimeoutMs / 1_000,
    longTableRows,
    cpuSeconds: Math.ceil((convertTimeoutMs / 1_000) * cpuPerSecond),
    maxTasks,
    limits: {
      RLIMIT_AS: Math.max(3 * gibibyte, 2 * memoryLimitBytes),
      RLIMIT_FSIZE: maxFileBytes,
      RLIMIT_NOFILE: maxOpenFiles,
      RLIMIT_CORE: 0,
    },
    paths: {
      read: [...readable, ...homesOutsideUsr(programs), inner.agentDir],
      write: [...new Set([inner.profileDir, inner.jobsDir, inner.temporaryDir])],
      device: ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'],
      socket: ['/tmp', '/var/tmp'],
    },
  });
}
