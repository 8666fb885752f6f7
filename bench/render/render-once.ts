import { openEngine } from '../contenders/engines.ts';
import { documentOf } from '../harness/documents.ts';

const timesOver = 5;
const render = await openEngine('own, warm', documentOf('invoice', Number(process.argv[2])), '');
for (let time = 0; time < timesOver; time++) await render();
process.stdout.write(String(process.resourceUsage().maxRSS / 1_024));
