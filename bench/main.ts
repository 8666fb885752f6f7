/** `npm run bench -- <name> [options]`. Each bench prints ratios measured in one run; `--json` prints all samples. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  backlog: () => import('./backlog/main.ts'),
  batch: () => import('./batch/main.ts'),
  bytes: () => import('./bytes/main.ts'),
  console: () => import('./console/main.ts'),
  convert: () => import('./convert/main.ts'),
  cost: () => import('./cost/main.ts'),
  engines: () => import('./engines/main.ts'),
  fairness: () => import('./fairness/main.ts'),
  fidelity: () => import('./fidelity/main.ts'),
  growth: () => import('./growth/main.ts'),
  http: () => import('./http/main.ts'),
  infrastructure: () => import('./infrastructure/main.ts'),
  invoices: () => import('./invoices/main.ts'),
  memory: () => import('./memory.ts'),
  pdf: () => import('./pdf/main.ts'),
  render: () => import('./render/main.ts'),
  'same-bytes': () => import('./same-bytes.ts'),
  sizing: () => import('./sizing/main.ts'),
  smoke: () => import('./smoke/main.ts'),
  tables: () => import('./tables/main.ts'),
  tracing: () => import('./tracing/main.ts'),
  upgrade: () => import('./upgrade/main.ts'),
};

const name = process.argv[2] ?? '';
const load = benches[name];
if (load === undefined) {
  process.stderr.write(`Usage: npm run bench -- <${Object.keys(benches).join('|')}> [--json] [--save]\n`);
  process.exitCode = 2;
} else {
  await load();
}
