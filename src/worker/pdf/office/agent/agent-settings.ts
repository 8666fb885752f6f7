import { randomText } from '../../../../shared/ids.ts';
import { homesOutsideUsr, type InnerPaths, officeState } from '../jail/jail-kinds.ts';
import type { OfficePrograms } from '../programs.ts';

const gibibyte = 1024 ** 3;
const maxFileBytes = 200 * 1024 * 1024;
const maxOpenFiles = 256;
const readable = ['/usr', '/bin', '/lib', '/lib32', '/lib64', '/proc', '/etc/fonts', '/etc/libreoffice'].concat([
  '/etc/passwd',
  '/etc/group',
  '/etc/nsswitch.conf',
  '/etc/ld.so.cache',
  '/var/cache/fontconfig',
  ...officeState,
]);

/** What agent.py is told: where things are in its view, and the limits it puts on itself and on LibreOffice. */
export function slotSettings(
  inner: InnerPaths,
  programs: OfficePrograms,
  { memoryLimitBytes, niceness = 0 }: { readonly memoryLimitBytes: number; readonly niceness?: number | undefined },
): string {
  return JSON.stringify({
    soffice: programs.soffice,
    allocator: programs.allocator ?? null,
    profileDir: inner.profileDir,
    profileSettings: `${inner.agentDir}/registrymodifications.xcu`,
    pipeName: `docmill-${randomText(12)}`,
    jobsDir: inner.jobsDir,
    temporaryDir: inner.temporaryDir,
    niceness,
    limits: {
      RLIMIT_AS: Math.max(3 * gibibyte, 2 * memoryLimitBytes),
      RLIMIT_FSIZE: maxFileBytes,
      RLIMIT_NOFILE: maxOpenFiles,
      RLIMIT_CORE: 0,
      // No RLIMIT_CPU: it adds up over the life of a slot, so the deadline of each conversion takes its place.
    },
    paths: {
      read: [...readable, ...homesOutsideUsr(programs), inner.agentDir],
      write: [...new Set([inner.profileDir, inner.jobsDir, inner.temporaryDir])],
      device: ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'],
      socket: ['/tmp', '/var/tmp'],
    },
  });
}
