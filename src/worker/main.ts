import { requireOpenFiles } from '../shared/require-open-files.ts';

requireOpenFiles();
await import('./run.ts');
