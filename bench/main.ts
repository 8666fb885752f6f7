/** `npm run bench -- <name> [options]`: each bench prints ratios taken in one run, and everything as JSON with `--json`. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  batch: () => import('./batch/main.ts'),
  convert: () => import('./convert/main.ts'),
  fabric: () => import('./infrastructure/main.ts'),
  http: () => import('./http/main.ts'),
  memory: () => import('./memory/main.ts'),
  render: () => import('./render/main.ts'),
  smoke: () => import('./smoke/main.ts'),
};

const name = process.argv[2] ?? '';
const load = benches[name];
if (load === undefined) {
  process.stderr.write(`Usage: npm run bench -- <${Object.keys(benches).join('|')}> [--json]\n`);
  process.exitCode = 2;
} else {
  await load();
}
