import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OfficePrograms } from '../programs.ts';

export const unprivilegedId = 65_534;
const temporaryBytes = 256 * 1024 * 1024;
/** The name of the environment variable that marks the processes of a slot. */
export const markerName = 'DOCMILL_SLOT';

export type JailLevel = 'bubblewrap' | 'namespaces' | 'bare';

/** Folders of one slot as seen by the host. */
export interface SlotPaths {
  readonly slotDir: string;
  readonly agentDir: string;
  /** Value of the environment variable by which the slot's processes are found. */
  readonly marker: string;
}

/** The same folders as seen by the processes in the jail. */
export interface InnerPaths {
  readonly profileDir: string;
  readonly jobsDir: string;
  readonly temporaryDir: string;
  readonly agentDir: string;
}

export interface JailCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The user that starts it; undefined for the service's own user. */
  readonly uid: number | undefined;
}

export interface Jail {
  readonly level: JailLevel;
  /** A description of the isolation, for the log. */
  readonly description: string;
  /** Whether LibreOffice has a private file system and does not see /tmp of the host. */
  readonly hasPrivateFiles: boolean;
  /** Owner of the files that LibreOffice reads and writes; undefined for the service's own user. */
  readonly fileOwner: number | undefined;
  inner(paths: SlotPaths): InnerPaths;
  wrap(paths: SlotPaths, command: readonly string[]): JailCommand;
}

export interface JailContext {
  readonly programs: OfficePrograms;
  /** Whether the service runs as root and can switch to another user. */
  readonly canDropRoot: boolean;
}

const innerOfPrivateView: InnerPaths = {
  profileDir: '/tmp/profile',
  jobsDir: '/jobs',
  temporaryDir: '/tmp',
  agentDir: '/agent',
};

/** Separate namespaces and a separate file system, created by an unprivileged user. */
export function bubblewrapJail({ programs, canDropRoot }: JailContext, canDisableNesting: boolean): Jail {
  const owner = canDropRoot ? unprivilegedId : undefined;
  const identity = ['--unshare-user', '--uid', `${unprivilegedId}`, '--gid', `${unprivilegedId}`];
  const nested = canDisableNesting ? ['--disable-userns'] : [];
  return {
    level: 'bubblewrap',
    description: 'LibreOffice runs in a bubblewrap jail: no network, no files of the host, no privileges',
    fileOwner: owner,
    hasPrivateFiles: true,
    inner: () => innerOfPrivateView,
    wrap: (paths, command) => ({
      file: 'bwrap',
      args: [...isolation, ...identity, ...nested, ...privateView(programs, paths), '--', ...command],
      env: { PATH: systemPath, [markerName]: paths.marker },
      uid: owner,
    }),
  };
}

/** For hosts where only root may create namespaces: root creates them and drops all privileges inside. */
export function privilegedBubblewrapJail({ programs, canDropRoot }: JailContext): Jail | undefined {
  if (!canDropRoot) return undefined;
  const kept = ['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`]);
  return {
    level: 'bubblewrap',
    description:
      'LibreOffice runs in a bubblewrap jail created by root: no network, no files of the host, no privileges',
    fileOwner: unprivilegedId,
    hasPrivateFiles: true,
    inner: () => innerOfPrivateView,
    wrap: (paths, command) => ({
      file: 'bwrap',
      args: [...isolation, ...kept, ...privateView(programs, paths), '--', ...dropRoot, ...command],
      env: { PATH: systemPath, [markerName]: paths.marker },
      uid: undefined,
    }),
  };
}

/** No network and no view of other processes. Only Landlock, where the kernel supports it, protects files. */
export function namespaceJail({ canDropRoot }: JailContext): Jail | undefined {
  if (process.platform !== 'linux') return undefined;
  const owner = canDropRoot ? unprivilegedId : undefined;
  const namespaces = ['--user', '--map-current-user', '--net', '--pid', '--ipc', '--uts', '--mount', '--mount-proc'];
  return {
    level: 'namespaces',
    description: 'separate network and process namespaces, but only Landlock protects the host file system',
    fileOwner: owner,
    hasPrivateFiles: false,
    inner: innerOfHostView,
    wrap: (paths, command) => ({
      file: 'unshare',
      args: [...namespaces, '--fork', '--kill-child=SIGKILL', '--', ...command],
      env: { ...bareEnvironment(paths), [markerName]: paths.marker },
      uid: owner,
    }),
  };
}

/** No namespaces: another user if the service runs as root, an empty environment, and limits that a process sets on itself. */
export function bareJail({ canDropRoot }: JailContext): Jail {
  const owner = canDropRoot ? unprivilegedId : undefined;
  return {
    level: 'bare',
    description:
      'no namespaces: only resource limits, Landlock and a system call filter, where the kernel supports them',
    fileOwner: owner,
    hasPrivateFiles: false,
    inner: innerOfHostView,
    wrap: (paths, [file = '', ...args]) => ({
      file,
      args,
      env: { ...bareEnvironment(paths), [markerName]: paths.marker },
      uid: owner,
    }),
  };
}

/** Folders where distributions keep the registrations of LibreOffice's packages. */
export const officeState = ['/var/lib/libreoffice', '/var/spool/libreoffice'];
const systemPath = '/usr/local/bin:/usr/bin:/bin';
const isolation = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'].concat([
  '--die-with-parent',
  '--new-session',
  '--clearenv',
  '--cap-drop',
  'ALL',
  '--hostname',
  'slot',
]);
const dropRoot = ['setpriv', `--reuid=${unprivilegedId}`, `--regid=${unprivilegedId}`, '--clear-groups'].concat([
  '--inh-caps=-all',
  '--bounding-set=-all',
  '--no-new-privs',
  '--',
]);

function privateView(programs: OfficePrograms, paths: SlotPaths): string[] {
  const args: string[] = [];
  for (const [name, value] of Object.entries(environment('/tmp'))) args.push('--setenv', name, value);
  args.push('--setenv', markerName, paths.marker, '--ro-bind', '/usr', '/usr');
  for (const link of ['/bin', '/sbin', '/lib', '/lib32', '/lib64']) args.push(...systemLink(link));
  // Created implicitly, they would be accessible to root only.
  const homes = homesOutsideUsr(programs);
  for (const dir of new Set([
    '/etc',
    '/opt',
    '/var',
    '/var/cache',
    '/var/lib',
    '/var/spool',
    ...homes.flatMap(parents),
  ]))
    args.push('--perms', '0755', '--dir', dir);
  for (const dir of ['/etc/fonts', '/etc/libreoffice', '/var/cache/fontconfig', ...officeState]) {
    args.push('--ro-bind-try', dir, dir);
  }
  for (const dir of homes) args.push('--ro-bind', dir, dir);
  args.push('--proc', '/proc', '--dev', '/dev', '--perms', '1777', '--size', `${temporaryBytes}`, '--tmpfs', '/tmp');
  args.push('--bind', join(paths.slotDir, 'jobs'), '/jobs', '--ro-bind', paths.agentDir, '/agent', '--chdir', '/');
  return args;
}

/** The folders above a folder, outermost first, without the root. */
function parents(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir || parent === '/' ? [] : [...parents(parent), parent];
}

/** Depending on the distribution, /lib and similar folders are links into /usr or separate folders. */
function systemLink(path: string): string[] {
  const target = resolved(path);
  if (target === undefined) return [];
  return target.startsWith('/usr/') ? ['--symlink', target.slice(1), path] : ['--ro-bind', path, path];
}

/** Installation folders of the programs outside /usr. Excludes `/`, which would be the home of a program in /bin. */
export function homesOutsideUsr({ soffice, python }: OfficePrograms): string[] {
  const homes = [soffice, python, resolved(python) ?? python].map((program) => dirname(dirname(program)));
  return [...new Set(homes)].filter((dir) => dir !== '/' && dir !== '/usr' && !dir.startsWith('/usr/'));
}

function resolved(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function innerOfHostView(paths: SlotPaths): InnerPaths {
  return {
    profileDir: join(paths.slotDir, 'profile'),
    jobsDir: join(paths.slotDir, 'jobs'),
    temporaryDir: join(paths.slotDir, 'tmp'),
    agentDir: paths.agentDir,
  };
}

function bareEnvironment(paths: SlotPaths): Record<string, string> {
  return environment(join(paths.slotDir, 'tmp'));
}

function environment(temporaryDir: string): Record<string, string> {
  return { PATH: systemPath, LANG: 'C.UTF-8', TZ: 'UTC', HOME: temporaryDir, TMPDIR: temporaryDir };
}
