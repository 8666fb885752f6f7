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

/** The JSON argument of agent.py: paths inside the jail, and the limits for itself and LibreOffice. */
export function agentSettings(
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
      // No RLIMIT_CPU: it counts over the life of a slot; each conversion has a deadline instead.
    },
    paths: {
      read: [...readable, ...homesOutsideUsr(programs), inner.agentDir],
      write: [...new Set([inner.profileDir, inner.jobsDir, inner.temporaryDir])],
      device: ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'],
      socket: ['/tmp', '/var/tmp'],
    },
  });
}
