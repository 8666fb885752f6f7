import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalsOf } from './refusal-of.ts';

const folder = process.argv[2] ?? '';
const files = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
const startMb = process.resourceUsage().maxRSS / 1000;

const costs = files.map(({ name, bytes }) => {
  const [refusal] = refusalsOf(bytes);
  return { name, grownMb: process.resourceUsage().maxRSS / 1000 - startMb, message: refusal?.message ?? '' };
});
process.stdout.write(JSON.stringify(costs));
