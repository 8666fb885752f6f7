import { openEngine } from '../contenders/engines.ts';
import { documentOf } from '../harness/documents.ts';

/** Prints the peak memory in MB of a process that renders one document repeatedly. */
const repetitions = 5;
const render = await openEngine('own, warm', documentOf('invoice', Number(process.argv[2])), '');
for (let index = 0; index < repetitions; index++) await render();
process.stdout.write(String(process.resourceUsage().maxRSS / 1_024));
