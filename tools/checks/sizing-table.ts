import { readFileSync } from 'node:fs';
import {
  type CostFormat,
  coresFor,
  type DocumentCosts,
  minReplicas,
  plannedCosts,
  recordedBytes,
  recordedRuns,
} from '../../src/admin/capacity/recorded-costs.ts';
import { commonVariables } from '../../src/shared/config/common-variables.ts';

export const sizingPage = 'docs/operations/scaling.md';
const rates = [10, 100, 1_000, 10_000] as const;
const formats = ['docx', 'pdf'] as const satisfies readonly CostFormat[];
/** `migrate`, operator commands and backups. */
const otherConnections = 10;

/** The page with its tables calculated from the recorded costs. Each stands between two comments that name it. */
export function writeSizingPage(): string {
  const poolSize = Number(commonVariables.DATABASE_POOL_SIZE.parse(undefined));
  let page = readFileSync(sizingPage, 'utf8');
  for (const [name, lines] of [
    ['costs', costLines()],
    ['sizes', sizeLines(poolSize)],
    ['saturation', saturationLines()],
  ] as const) {
    const place = new RegExp(`(<!-- ${name}: made by npm run generate -->\n)[^]*?(<!-- end of ${name} -->)`);
    if (!place.test(page)) throw new Error(`${sizingPage} has no place for the table ${name}`);
    page = page.replace(place, (_, start: string, end: string) => `${start}\n${lines.join('\n')}\n\n${end}`);
  }
  return page;
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const heading = (...cells: readonly string[]): string[] => [row(...cells), row(...cells.map(() => '---'))];
const nameOf = (format: CostFormat): string => (format === 'docx' ? '`.docx`' : 'PDFs');
/** Three significant digits for small numbers, whole numbers otherwise. */
const shown = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(2)));

const components: readonly (readonly [keyof DocumentCosts, string])[] = [
  ['api', 'API'],
  ['worker', 'worker, without engines'],
  ['render', 'filling the template'],
  ['office', 'LibreOffice and its agent'],
  ['postgres', 'PostgreSQL'],
  ['redis', 'Redis'],
];

function costLines(): readonly string[] {
  const costs = formats.map(plannedCosts);
  const sources = recordedRuns.map(({ source }) => `[${source.slice(0, 10)}](../../bench/results/${source})`);
  return [
    `Runs: ${sources.join(', ')}.`,
    '',
    ...heading('ms of a core for one document', ...formats.map(nameOf)),
    ...components.map(([part, name]) => row(name, ...costs.map((cost) => (cost[part] === 0 ? '' : cost[part])))),
  ];
}

function sizeLines(poolSize: number): readonly string[] {
  const replicas = (rate: number, ms: number): number => Math.max(minReplicas, Math.ceil(coresFor(rate, ms)));
  const line = (name: string, cellOf: (rate: number) => string | number): string =>
    row(name, ...rates.map((rate) => cellOf(rate)));
  const both = (cellOf: (format: CostFormat, rate: number) => string | number) => (rate: number) => {
    const [docx, pdf] = formats.map((format) => String(cellOf(format, rate)));
    return docx === pdf ? String(docx) : `${docx} / ${pdf}`;
  };
  const cost = { docx: plannedCosts('docx'), pdf: plannedCosts('pdf') };
  const traffic = (format: CostFormat): number => recordedBytes[format].redisIn + recordedBytes[format].redisOut;
  return [
    ...heading('`.docx` / PDFs', ...rates.map((rate) => `${rate.toLocaleString('en-US')} a second`)),
    line(
      'API processes, one core each; at least two, so that one may fail',
      both((format, rate) => replicas(rate, cost[format].api)),
    ),
    line(
      'worker processes, without engines, one core each',
      both((format, rate) => replicas(rate, cost[format].worker)),
    ),
    line(
      'cores to fill templates',
      both((format, rate) => shown(coresFor(rate, cost[format].render))),
    ),
    line('for PDFs: cores for LibreOffice, one slot per core', (rate) => shown(coresFor(rate, cost.pdf.office))),
    line(
      'PostgreSQL: cores',
      both((format, rate) => shown(coresFor(rate, cost[format].postgres))),
    ),
    line(
      'PostgreSQL: connections',
      both(
        (format, rate) =>
          (replicas(rate, cost[format].api) + replicas(rate, cost[format].worker)) * poolSize + otherConnections,
      ),
    ),
    line(
      'PostgreSQL: log, MB/s',
      both((format, rate) => shown((recordedBytes[format].postgresLog * rate) / 1e6)),
    ),
    line('PostgreSQL: growth, GB a day', (rate) => shown((recordedBytes.docx.postgresGrowth * rate * 86_400) / 1e9)),
    line(
      'Redis: cores, of which one server uses one',
      both((format, rate) => shown(coresFor(rate, cost[format].redis))),
    ),
    line(
      'Redis: network in and out, MB/s',
      both((format, rate) => shown((traffic(format) * rate) / 1e6)),
    ),
  ];
}

const whole = (ms: number): string => (Math.round(1_000 / ms / 10) * 10).toLocaleString('en-US');

/** What can grow no further once its cores are used up. API processes, workers and engines are added as needed. */
function saturationLines(): readonly string[] {
  const { docx, pdf } = { docx: plannedCosts('docx'), pdf: plannedCosts('pdf') };
  const perServer = [
    ['Redis', docx.redis, pdf.redis, 1],
    ['PostgreSQL with 16 cores', docx.postgres, pdf.postgres, 16],
  ] as const;
  return [
    ...heading(
      'one server',
      '`.docx` a second until it is busy',
      'PDFs',
      'busy at 1,000 a second',
      'servers for 10,000 a second, at 60 %',
    ),
    ...perServer.map(([name, docxMs, pdfMs, cores]) =>
      row(
        name,
        whole(docxMs / cores),
        whole(pdfMs / cores),
        `${Math.round((docxMs / cores) * 100)} %`,
        Math.ceil(coresFor(10_000, docxMs) / cores),
      ),
    ),
  ];
}
