import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const folder = process.env.FAILPOINTS_DIR;

/** Runs at every marker of the service: does what the plan file of this name says, as often as the plan says. */
async function failpoint(name) {
  const plan = readPlan(name);
  const hit = plan === undefined ? 0 : takeHit(name, plan.times);
  if (hit === 0) return;
  switch (plan.action) {
    case 'kill':
      process.kill(process.pid, 'SIGKILL');
      return await new Promise(() => setInterval(() => undefined, 60_000));
    case 'hang':
      while (!isThere(`${name}.released`)) await delay(10);
      return;
    case 'throw':
      throw new Error(`failpoint ${name}`);
    case 'reject':
      void Promise.reject(new Error(`failpoint ${name}`));
      return await delay(200);
    case 'delay':
      return await delay(plan.ms);
    default:
      throw new Error(`failpoint ${name} has no action ${plan.action}`);
  }
}

function readPlan(name) {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The number of this hit over all processes, or 0 when the plan is used up. */
function takeHit(name, times) {
  for (let hit = 1; hit <= times; hit++) {
    try {
      writeFileSync(join(folder, `${name}.hit-${hit}`), String(process.pid), { flag: 'wx' });
      return hit;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  return 0;
}

function isThere(file) {
  try {
    readFileSync(join(folder, file));
    return true;
  } catch {
    return false;
  }
}

/** `CLOCK_SKEW_MS`: this process alone lives in another time. */
function skewClock(skewMs) {
  const RealDate = Date;
  const now = () => RealDate.now() + skewMs;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      super(...(args.length === 0 ? [now()] : args));
    }
    static now = now;
  };
}

if (process.env.CLOCK_SKEW_MS !== undefined) skewClock(Number(process.env.CLOCK_SKEW_MS));
/** `CLOCK_JUMP_MS`: the same, from SIGUSR2 on. */
if (process.env.CLOCK_JUMP_MS !== undefined)
  process.once('SIGUSR2', () => skewClock(Number(process.env.CLOCK_JUMP_MS)));

globalThis.failpoint = failpoint;
