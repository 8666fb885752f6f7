import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const goneTimeoutMs = 5_000;
const pollMs = 4;

/** A pid with the moment it was given out, so that a number used again is not taken for it. */
export interface KnownProcess {
  readonly pid: number;
  readonly startTicks: string;
}

/**
 * Kills the group that `leaderPid` leads, all its descendants, and every process that carries `marker` in its
 * environment, and waits until none is left. Returns how many would not go.
 */
export async function killGroup(leaderPid: number, leader: KnownProcess | undefined, marker: string): Promise<number> {
  const now = await identify(leaderPid);
  // Once the leader is gone and nobody is left in its group, the number may belong to a stranger.
  const isOurs = now === undefined || now.startTicks === leader?.startTicks;
  const members = await membersOf(isOurs ? leaderPid : undefined, marker);
  if (isOurs && leaderPid > 0) signal(-leaderPid);
  for (const member of members) signal(member.pid);
  const deadline = Date.now() + goneTimeoutMs;
  let left = members;
  while (left.length > 0 && Date.now() < deadline) {
    await delay(pollMs);
    left = await stillRunning(left);
  }
  return left.length;
}

/** Kills every process that carries `marker` in its environment, and returns how many there were. */
export async function killByMarker(marker: string): Promise<number> {
  const found = await carriersOf(marker);
  for (const pid of found) signal(pid);
  return found.length;
}

/** When the process began, in clock ticks since boot: with the pid, its identity. Undefined when it is gone or a zombie. */
export async function startTicksOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
}

async function membersOf(leaderPid: number | undefined, marker: string): Promise<KnownProcess[]> {
  const pids = new Set<number>(leaderPid === undefined ? [] : [leaderPid]);
  for (const pid of pids) {
    for (const child of await childrenOf(pid)) pids.add(child);
  }
  for (const pid of await carriersOf(marker)) pids.add(pid);
  const known = await Promise.all([...pids].map(identify));
  return known.filter((entry) => entry !== undefined);
}

export async function identify(pid: number): Promise<KnownProcess | undefined> {
  const startTicks = await startTicksOf(pid);
  return startTicks === undefined ? undefined : { pid, startTicks };
}

async function stillRunning(processes: readonly KnownProcess[]): Promise<KnownProcess[]> {
  const left: KnownProcess[] = [];
  for (const known of processes) {
    if ((await startTicksOf(known.pid)) === known.startTicks) left.push(known);
  }
  return left;
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

async function carriersOf(marker: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const found: number[] = [];
  for (const name of names) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    if (environment.includes(marker)) found.push(Number(name));
  }
  return found;
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
