import { parseArgs } from 'node:util';
import { buildConsole } from './build-console.ts';

/**
 * `npm run console` builds the web console in `dist/console`, which the API serves at `/console`. `--out` sets another
 * folder. `--sizes` lists the compressed scripts, beginning with the first load.
 */
// In a test environment, Vite would build for development.
process.env.NODE_ENV = 'production';
const { values } = parseArgs({
  options: { out: { type: 'string', default: 'dist/console' }, sizes: { type: 'boolean', default: false } },
});
const { files, sizeBytes, scripts } = await buildConsole('.', values.out);
const inKilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB`;
const firstBytes = scripts.reduce((sum, { gzipBytes, isFirstLoad }) => sum + (isFirstLoad ? gzipBytes : 0), 0);
process.stdout.write(
  `${files} files, ${inKilobytes(sizeBytes)} in ${values.out}; the first load has ${inKilobytes(firstBytes)} of compressed script\n`,
);
if (values.sizes) {
  const sorted = scripts.toSorted((a, b) => Number(b.isFirstLoad) - Number(a.isFirstLoad) || b.gzipBytes - a.gzipBytes);
  for (const { file, gzipBytes, isFirstLoad } of sorted) {
    process.stdout.write(`${isFirstLoad ? 'first' : 'later'}  ${inKilobytes(gzipBytes).padStart(9)}  ${file}\n`);
  }
}
