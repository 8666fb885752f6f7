import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** The resources of the machine that this process may use. */
export interface MachineSize {
  /** Whole processors, at least one. */
  readonly cpus: number;
  /** Memory, in bytes. */
  readonly memoryBytes: number;
  /**
   * Whether a quota allows less time than the processors offer. Processes then compete for the quota even while
   * processors are idle, and niceness has no effect.
   */
  readonly hasCpuQuota: boolean;
}

/** A limit above this means "unlimited": cgroup v1 reports the largest multiple of a page. */
const noLimitBytes = 2 ** 60;

/**
 * The smaller of what the operating system reports and what the process's control groups and their parents allow (v2:
 * `cpu.max`, `memory.max`, `memory.high`; v1: `cpu.cfs_quota_us`, `memory.limit_in_bytes`). A quota of 1.5 processors
 * counts as one. `root` is the folder that holds `/proc` and `/sys`; tests pass their own.
 */
export function readMachineSize(root = '/', cores = availableParallelism(), installedBytes = totalmem()): MachineSize {
  const groups = readGroups(root);
  const quota = smallest(groups.flatMap(cpuLimits));
  const memory = smallest(groups.flatMap(memoryLimits).filter((limit) => limit < noLimitBytes));
  return {
    cpus: Math.max(1, Math.floor(Math.min(cores, quota))),
    memoryBytes: Math.min(installedBytes, memory),
    hasCpuQuota: quota < cores,
  };
}

/** Reads a file of one control group; empty if the group has no such file. */
type Group = (file: string) => string;

function cpuLimits(group: Group): number[] {
  const [quota, period = ''] = group('cpu.max').trim().split(/\s+/);
  return [
    ratioOf(quota ?? '', period),
    ratioOf(group('cpu.cfs_quota_us').trim(), group('cpu.cfs_period_us').trim()),
  ].filter((limit) => limit !== undefined);
}

/** Undefined if there is no limit: `max` in v2, -1 in v1. */
function ratioOf(quota: string, period: string): number | undefined {
  const ratio = Number(quota) / Number(period);
  return quota !== '' && period !== '' && Number.isFinite(ratio) && ratio > 0 ? ratio : undefined;
}

function memoryLimits(group: Group): number[] {
  return ['memory.max', 'memory.high', 'memory.limit_in_bytes'].flatMap((file) => {
    const text = group(file).trim();
    return /^\d+$/.test(text) && Number(text) > 0 ? [Number(text)] : [];
  });
}

const smallest = (limits: readonly number[]): number => Math.min(Number.POSITIVE_INFINITY, ...limits);

/**
 * The control groups of this process in every mounted hierarchy, each followed by its parents up to the mount point.
 */
function readGroups(root: string): Group[] {
  const mounts = readText(join(root, 'proc/self/mountinfo')).split('\n').flatMap(parseMount);
  const memberships = readText(join(root, 'proc/self/cgroup')).split('\n').flatMap(parseMembership);
  return mounts.flatMap(({ controllers, mountRoot, mountPoint }) => {
    const own = memberships.find((membership) => membership.controllers === controllers);
    if (own === undefined) return [];
    const path = relativeTo(mountRoot, own.path);
    return withParents(path).map((folder) => (file: string) => readText(join(root, mountPoint, folder, file)));
  });
}

interface Mount {
  /** Sorted names of controllers, as in `/proc/self/cgroup`; empty for v2. */
  readonly controllers: string;
  readonly mountRoot: string;
  readonly mountPoint: string;
}

/** The controllers with the limits that matter here; other v1 hierarchies are skipped. */
const controllersRead = new Set(['cpu', 'memory']);

/** A line of `/proc/self/mountinfo` (proc(5)): the fields after ` - ` are the type, the source and the options. */
function parseMount(line: string): Mount[] {
  const [left = '', right = ''] = line.split(' - ');
  const [, , , mountRoot, mountPoint] = left.split(' ').map(unescapeOctal);
  const [type, , options = ''] = right.split(' ');
  if (mountRoot === undefined || mountPoint === undefined) return [];
  if (type === 'cgroup2') return [{ controllers: '', mountRoot, mountPoint }];
  const names = options.split(',').filter((option) => controllersRead.has(option));
  return type === 'cgroup' && names.length > 0 ? [{ controllers: names.join(','), mountRoot, mountPoint }] : [];
}

/** A line of `/proc/self/cgroup`: id, controllers, path. The id of v2 is 0, and it has no controllers. */
function parseMembership(line: string): { readonly controllers: string; readonly path: string }[] {
  const match = /^(\d+):([^:]*):(.*)$/.exec(line);
  if (match === null) return [];
  const [, id, list = '', path = ''] = match;
  if (id === '0') return [{ controllers: '', path }];
  const names = list.split(',').filter((name) => controllersRead.has(name));
  return names.length > 0 ? [{ controllers: names.join(','), path }] : [];
}

/** Inside a container, the mount may start at the container's own group, while the path counts from the host's root. */
function relativeTo(mountRoot: string, path: string): string {
  if (mountRoot === '/') return path;
  if (path === mountRoot) return '/';
  return path.startsWith(`${mountRoot}/`) ? path.slice(mountRoot.length) : '/';
}

/** `/a/b` gives `/a/b`, `/a` and `/`. A path with `..` is outside the mount and gives nothing. */
function withParents(path: string): string[] {
  if (path.split('/').includes('..')) return ['/'];
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

const unescapeOctal = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
