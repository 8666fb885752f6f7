import { parseArgs } from 'node:util';
import { buildConsole } from './build-console.ts';

/** `npm run console` builds the web console in `dist/console`, which the API serves at `/console`. `--out` names another folder. */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/console' } } });
const { files, sizeBytes } = await buildConsole('.', values.out);
process.stdout.write(`${files} files, ${Math.round(sizeBytes / 1024)} KB in ${values.out}\n`);
