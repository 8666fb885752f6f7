import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { plannedMb } from '../../shared/config/engine-counts.ts';
import { loadWorkerConfig } from '../../shared/config/load-config.ts';
import { readMachineSize } from '../../shared/config/machine-size.ts';
import { raiseOpenFiles, readOpenFilesLimit } from '../../shared/require-open-files.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const megabyte = 1024 * 1024;
/** The minimum with which LibreOffice can start. */
const leastFreeMb = 64;
/** The disk space that a slot may need for the files of one document. */
const slotMb = 256;
const usualTempMb = 1_024;
const tmpfsType = 0x01021994;
const leastOpenFiles = 1_024;
const usualOpenFiles = 8_192;
const processesPerSlot = 32;

/** Checks Node.js, disks, process limits, and whether the engines fit into memory and CPUs. */
export async function checkMachine(): Promise<readonly Finding[]> {
  const config = loadWorkerConfig();
  const slots = config.OFFICE_SLOTS + config.BATCH_OFFICE_SLOTS;
  return [
    checkNode(),
    await checkTemporaryFiles(),
    ...(await checkWorkingFolder(config.OFFICE_TEMP_DIR, slots)),
    checkOpenFiles(readOpenFilesLimit()),
    checkProcesses(Math.min(readProcessesLimit(), readPidsLimit()), slots),
    ...checkEngines(config),
  ];
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < 20 || (major === 20 && minor < 19);
  if (isOld) return failed('node', `version ${process.versions.node} is too old`, 'Install Node.js 20.19 or newer');
  return ok('node', `version ${process.versions.node}`);
}

async function checkTemporaryFiles(): Promise<Finding> {
  const { freeMb } = await readFree(tmpdir());
  return checkFree(
    'temporary files',
    tmpdir(),
    freeMb,
    usualTempMb,
    'Free disk space, or set TMPDIR to a larger file system',
  );
}

async function checkWorkingFolder(folder: string, slots: number): Promise<Finding[]> {
  const check = 'working folder of libreoffice';
  const { freeMb, isInMemory } = await readFree(folder);
  const fix = 'Enlarge it (docker run --shm-size, an emptyDir of medium Memory), or set OFFICE_TEMP_DIR';
  const free = checkFree(check, folder, freeMb, slots * slotMb, fix);
  if (isInMemory || free.status === 'failed') return [free];
  return [
    free,
    warning(
      check,
      `${folder} is not in memory: conversions write to a disk`,
      'Set OFFICE_TEMP_DIR to a tmpfs such as /dev/shm',
    ),
  ];
}

function checkFree(check: string, folder: string, freeMb: number, usualMb: number, fix: string): Finding {
  const message = `${folder} has ${freeMb} MB free`;
  if (freeMb < leastFreeMb) return failed(check, message, fix);
  return freeMb < usualMb ? warning(check, `${message}; ${usualMb} MB may be needed`, fix) : ok(check, message);
}

/** Reads the free space of the folder, or of its nearest existing parent. */
async function readFree(folder: string): Promise<{ readonly freeMb: number; readonly isInMemory: boolean }> {
  try {
    const { bavail, bsize, type } = await statfs(folder);
    return { freeMb: Math.floor((bavail * bsize) / megabyte), isInMemory: type === tmpfsType };
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder) throw error;
    return await readFree(parent);
  }
}

function checkOpenFiles(limit: number): Finding {
  const message = limit === Number.POSITIVE_INFINITY ? 'no limit' : `at most ${limit} open files`;
  if (limit < leastOpenFiles) return failed('open files', message, raiseOpenFiles);
  return limit < usualOpenFiles
    ? warning('open files', `${message}; each client connection needs one`, raiseOpenFiles)
    : ok('open files', message);
}

function checkProcesses(limit: number, slots: number): Finding {
  const needed = slots * processesPerSlot + 64;
  const message = limit === Number.POSITIVE_INFINITY ? 'no limit' : `at most ${limit} processes and threads`;
  if (limit >= needed) return ok('processes', message);
  const fix = 'Raise the limit: ulimit -u, TasksMax= of systemd, --pids-limit of Docker; or lower OFFICE_SLOTS';
  return failed('processes', `${message}; ${slots} LibreOffice processes may need ${needed}`, fix);
}

function checkEngines(config: ReturnType<typeof loadWorkerConfig>): Finding[] {
  const { cpus, memoryBytes } = readMachineSize();
  const memoryMb = Math.floor(memoryBytes / megabyte);
  const neededMb = plannedMb(config, config.WORKER_QUEUES);
  const memory = `engines are planned with ${neededMb} of ${memoryMb} MB`;
  const slots = `${config.OFFICE_SLOTS} slots for callers and ${config.BATCH_OFFICE_SLOTS} for batches on ${cpus} processors`;
  const fix = 'Lower OFFICE_SLOTS, RENDER_PROCESSES and those of batches, or unset them: the machine then decides';
  return [
    neededMb > memoryMb ? failed('memory', `${memory}: the kernel may kill them`, fix) : ok('memory', memory),
    Math.max(config.OFFICE_SLOTS, config.BATCH_OFFICE_SLOTS) > 2 * cpus
      ? warning('processors', `${slots}: documents wait for each other`, fix)
      : ok('processors', slots),
  ];
}

/** The hard limit of this user (proc(5)); infinite if there is none. */
function readProcessesLimit(): number {
  const hard = /^Max processes\s+\S+\s+(\d+)/m.exec(readText('/proc/self/limits'))?.[1];
  return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard);
}

/** The process limit of the control group (v2), as seen inside a container. */
function readPidsLimit(): number {
  const text = readText('/sys/fs/cgroup/pids.max').trim();
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
