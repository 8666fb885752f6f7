import { openEngine } from '../contenders/engines.ts';
import { documentOf } from '../harness/documents.ts';

/**
 * Prints the processor time in ms of one document of so many rows, filled by this version of Node.js: `node --import tsx
 * --conditions=docmill-source bench/render/processor-time.ts 10`.
 */
const [warmUp, measured] = [3_000, 10_000];
const render = await openEngine('own, warm', documentOf('invoice', Number(process.argv[2])), '');
for (let index = 0; index < warmUp; index++) await render();
const before = process.cpuUsage();
for (let index = 0; index < measured; index++) await render();
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${process.versions.node} ${((user + system) / 1_000 / measured).toFixed(3)}\n`);
