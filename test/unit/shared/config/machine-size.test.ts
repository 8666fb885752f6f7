import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countEngines, plannedMb } from '../../../../src/shared/config/engine-counts.ts';
import { loadWorkerConfig } from '../../../../src/shared/config/load-config.ts';
import { readMachineSize } from '../../../../src/shared/config/machine-size.ts';
import { queueNames } from '../../../../src/shared/config/worker-variables.ts';
import { required } from './required-variables.ts';

const gigabyte = 1024 ** 3;
const installedBytes = 256 * gigabyte;
const cores = 64;

/** A folder with these files, which is used in place of `/`. */
function rootWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'docmill-machine-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return root;
}

const sizeOf = (files: Readonly<Record<string, string>>) => readMachineSize(rootWith(files), cores, installedBytes);
/** The limits in a control group of version 2. */
const sizeOfGroup = (group: string, values: Readonly<Record<string, string>>) =>
  sizeOf({
    'proc/self/cgroup': `0::${group}`,
    'proc/self/mountinfo': v2Mount,
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`sys/fs/cgroup/${name}`, value])),
  });

const v2Mount = '30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate';
const v1Mounts = [
  '33 32 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct',
  '34 32 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory',
  '35 32 0:32 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd',
].join('\n');

describe('the size of the machine', () => {
  it('is the one that the operating system reports if there are no control groups', () => {
    expect(sizeOf({})).toEqual({ cpus: cores, memoryBytes: installedBytes, hasCpuQuota: false });
  });

  it("is set by the limits of the process's own group in cgroup v2", () => {
    const limits = { 'cpu.max': '200000 100000', 'memory.max': String(4 * gigabyte) };
    expect(sizeOfGroup('/', limits)).toEqual({ cpus: 2, memoryBytes: 4 * gigabyte, hasCpuQuota: true });
  });

  it('is the smallest limit of the group and its parents', () => {
    const limits = {
      'slice/cpu.max': 'max 100000',
      'slice/memory.max': String(8 * gigabyte),
      'slice/pod/cpu.max': '350000 100000',
      'slice/pod/memory.max': 'max',
      'slice/pod/worker/cpu.max': '1200000 200000',
      'slice/pod/worker/memory.max': String(16 * gigabyte),
      'slice/pod/worker/memory.high': String(12 * gigabyte),
    };
    expect(sizeOfGroup('/slice/pod/worker', limits)).toEqual({ cpus: 3, memoryBytes: 8 * gigabyte, hasCpuQuota: true });
  });

  it('is set by the limits of cgroup v1, whose controllers have separate hierarchies', () => {
    const files = {
      'proc/self/cgroup': '4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc',
      'proc/self/mountinfo': v1Mounts,
      'sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us': '400000',
      'sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us': '100000',
      'sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes': String(2 * gigabyte),
    };
    expect(sizeOf(files)).toEqual({ cpus: 4, memoryBytes: 2 * gigabyte, hasCpuQuota: true });
  });

  it("is found in a cgroup v1 container, where the mount begins at the process's own group", () => {
    const files = {
      'proc/self/cgroup': '4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc',
      'proc/self/mountinfo': v1Mounts.replaceAll(' / /sys', ' /docker/abc /sys'),
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '100000',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': String(gigabyte),
    };
    expect(sizeOf(files)).toEqual({ cpus: 1, memoryBytes: gigabyte, hasCpuQuota: true });
  });

  it.each([
    ['v2 without limits', '0::/', v2Mount, { 'cpu.max': 'max 100000', 'memory.max': 'max' }, ''],
    [
      'v1 without limits',
      '3:cpu,cpuacct:/\n4:memory:/',
      v1Mounts,
      { 'cpu.cfs_quota_us': '-1', 'cpu.cfs_period_us': '100000' },
      'cpu,cpuacct/',
    ],
    [
      'v1 with its largest number',
      '4:memory:/',
      v1Mounts,
      { 'memory.limit_in_bytes': '9223372036854771712' },
      'memory/',
    ],
    ['unreadable values', '0::/', v2Mount, { 'cpu.max': 'x y', 'memory.max': '-5' }, ''],
    ['empty files', '0::/', v2Mount, { 'cpu.max': '', 'memory.max': '' }, ''],
    ['a group outside of the mount', '0::/../other', v2Mount, { 'cpu.max': 'max 100000' }, ''],
  ])('has no limit with %s', (_name, cgroup, mountinfo, values, folder) => {
    const files = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`sys/fs/cgroup/${folder}${name}`, value]),
    );
    expect(sizeOf({ 'proc/self/cgroup': cgroup, 'proc/self/mountinfo': mountinfo, ...files })).toEqual({
      cpus: cores,
      memoryBytes: installedBytes,
      hasCpuQuota: false,
    });
  });

  it('is at least one processor', () => {
    expect(sizeOfGroup('/', { 'cpu.max': '25000 100000' }).cpus).toBe(1);
  });

  it('is the size of this machine by default', () => {
    const { cpus, memoryBytes } = readMachineSize();
    expect(cpus).toBeGreaterThan(0);
    expect(memoryBytes).toBeGreaterThan(100 * 1024 * 1024);
  });
});

describe('the number of engines', () => {
  const machine = (cpus: number, memoryGb: number, hasCpuQuota = false) => ({
    cpus,
    memoryBytes: memoryGb * gigabyte,
    hasCpuQuota,
  });
  const both = (single: number, batch: number) => ({
    RENDER_PROCESSES: single,
    OFFICE_SLOTS: single,
    BATCH_RENDER_PROCESSES: batch,
    BATCH_OFFICE_SLOTS: batch,
  });

  it('is one for each processor if memory allows', () => {
    expect(countEngines(machine(8, 32), queueNames, 'off')).toEqual(both(8, 8));
  });

  it('is smaller if memory is scarce, both for synchronous requests and for batches', () => {
    expect(countEngines(machine(16, 8), queueNames, 'off')).toEqual(both(5, 5));
    expect(countEngines(machine(64, 2), queueNames, 'off')).toEqual(both(1, 1));
    expect(countEngines(machine(4, 0.25), queueNames, 'off')).toEqual(both(1, 1));
  });

  it('leaves a quarter of a CPU quota to batches', () => {
    expect(countEngines(machine(8, 64, true), queueNames, 'off')).toEqual(both(6, 2));
    expect(countEngines(machine(2, 64, true), queueNames, 'off')).toEqual(both(1, 1));
    expect(countEngines(machine(1, 64, true), queueNames, 'off')).toEqual(both(1, 1));
  });

  it('gives the whole quota and memory to a worker that serves one kind of queue', () => {
    expect(countEngines(machine(8, 64, true), ['docx', 'pdf'], 'off').OFFICE_SLOTS).toBe(8);
    expect(countEngines(machine(8, 64, true), ['pdf-batch'], 'off').BATCH_OFFICE_SLOTS).toBe(8);
    expect(countEngines(machine(8, 4), ['pdf'], 'off').OFFICE_SLOTS).toBe(4);
    expect(countEngines(machine(8, 4), ['docx'], 'off').RENDER_PROCESSES).toBe(8);
  });

  it('leaves memory for the processes that lay out pages without LibreOffice', () => {
    const counts = countEngines(machine(16, 8), queueNames, 'on');
    expect(counts).toEqual(both(4, 4));
    expect(countEngines(machine(8, 4), ['docx'], 'on').RENDER_PROCESSES).toBe(8);
    const planned = (DIRECT_PDF: 'on' | 'off') => plannedMb({ ...counts, DIRECT_PDF }, queueNames);
    expect(planned('on') - planned('off')).toBe(4 * 256);
    expect(plannedMb({ ...counts, DIRECT_PDF: 'on' }, ['docx'])).toBe(512 + 4 * 256);
  });

  it('never needs more memory than there is, except for the first engine of each kind', () => {
    for (const cpus of [1, 2, 3, 8, 64]) {
      for (const memoryGb of [2, 3, 4, 7, 16, 100]) {
        for (const hasCpuQuota of [true, false]) {
          const size = machine(cpus, memoryGb, hasCpuQuota);
          const off = { ...countEngines(size, queueNames, 'off'), DIRECT_PDF: 'off' } as const;
          expect(plannedMb(off, queueNames)).toBeLessThanOrEqual(memoryGb * 1024);
        }
      }
    }
  });

  it('is the one that the operator sets, if any', () => {
    expect(loadWorkerConfig({ ...required, OFFICE_SLOTS: '7' }, machine(2, 8))).toMatchObject({
      ...both(2, 2),
      OFFICE_SLOTS: 7,
    });
    expect(() => loadWorkerConfig({ ...required, OFFICE_SLOTS: '0' }, machine(2, 8))).toThrow(/OFFICE_SLOTS/);
  });
});
