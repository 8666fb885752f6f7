import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const killTimeoutMs = 5_000;
const leaderTimeoutMs = 250;
const pollMs = 4;

/** A pid with its start time, so that a reused pid is not mistaken for it. */
export interface KnownProcess {
  readonly pid: number;
  readonly startTicks: string;
}

/**
 * Kills the leader, its process group, its descendants and every process with `marker` in its environment, and waits for
 * them to exit. Returns the number still running.
 */
export async function killGroup(leader: KnownProcess, marker: string): Promise<number> {
  const found = new Map<number, KnownProcess>();
  const isLeaderRunning = async (): Promise<boolean> => (await stillRunning([leader])).length > 0;
  const descendants = (await isLeaderRunning()) ? await descendantsOf(leader.pid) : [];
  for (const pid of [...descendants, ...(await processesWith(marker))]) await note(found, pid);
  found.delete(leader.pid);
  // A living leader reaps its children, so that no zombies remain where pid 1 does not reap.
  for (const member of found.values()) signal(member.pid);
  await waitWhile(isLeaderRunning, leaderTimeoutMs);
  await waitWhile(async () => {
    await signalGroup(leader);
    for (const pid of await processesWith(marker)) await note(found, pid);
    const remaining = await stillRunning([...found.values()]);
    for (const member of remaining) signal(member.pid);
    return remaining.length > 0 || (await isLeaderRunning());
  }, killTimeoutMs);
  return (await stillRunning([leader, ...found.values()])).length;
}

/** Kills every process with `marker` in its environment, waits for them to exit, and returns their number. */
export async function killByMarker(marker: string): Promise<number> {
  const first = await processesWith(marker);
  await waitWhile(async () => {
    const remaining = await processesWith(marker);
    for (const pid of remaining) signal(pid);
    return remaining.length > 0;
  }, killTimeoutMs);
  return first.length;
}

/**
 * Start time of a process in clock ticks since boot, which identifies it together with the pid. Undefined if it has
 * ended.
 */
export async function startTicksOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
}

/** The identity of a running process; for a process that has ended, one that matches nothing. */
export async function identify(pid: number): Promise<KnownProcess> {
  return { pid, startTicks: (await startTicksOf(pid)) ?? 'gone' };
}

async function note(found: Map<number, KnownProcess>, pid: number): Promise<void> {
  if (!found.has(pid)) found.set(pid, await identify(pid));
}

async function signalGroup(leader: KnownProcess): Promise<void> {
  const now = await startTicksOf(leader.pid);
  // The id of a group whose leader has ended is not reused while the group has members.
  if (leader.pid > 1 && (now === undefined || now === leader.startTicks)) signal(-leader.pid);
}

async function descendantsOf(leaderPid: number): Promise<number[]> {
  const pids = new Set([leaderPid]);
  for (const pid of pids) {
    for (const child of await childrenOf(pid)) pids.add(child);
  }
  return [...pids];
}

async function waitWhile(isRunning: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while ((await isRunning()) && Date.now() < deadline) await delay(pollMs);
}

async function stillRunning(processes: readonly KnownProcess[]): Promise<KnownProcess[]> {
  const running: KnownProcess[] = [];
  for (const known of processes) {
    if ((await startTicksOf(known.pid)) === known.startTicks) running.push(known);
  }
  return running;
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

async function processesWith(marker: string): Promise<number[]> {
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
    // It has already ended.
  }
}
