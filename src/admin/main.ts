import { requireOpenFiles } from '../shared/require-open-files.ts';

requireOpenFiles();
const { runLine } = await import('./run-line.ts');
process.exitCode = await runLine(process.argv.slice(2), process);
