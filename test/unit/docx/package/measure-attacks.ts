import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalsOf } from './refusal-of.ts';

const folder = process.argv[2] ?? '';
const files = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
const startMb = process.resourceUsage().maxRSS / 1000;

const costs = files.map(({ name, bytes }) => {
  const start = process.cpuUsage();
  const refusals = refusalsOf(bytes);
  const { user, system } = process.cpuUsage(start);
  return {
    name,
    cpuMs: (user + system) / 1000,
    grownMb: process.resourceUsage().maxRSS / 1000 - startMb,
    message: refusals[0]?.message ?? '',
  };
});
process.stdout.write(JSON.stringify(costs));
