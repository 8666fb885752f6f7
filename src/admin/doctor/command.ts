import { ConfigError } from '../../shared/config/load-config.ts';
import { type Command, flag, optional, UsageError } from '../parse-command.ts';
import { type Finding, failed, reasonOf } from './finding.ts';

interface Report {
  readonly findings: readonly Finding[];
  /** Details for programs that read the report. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Each part loads its own dependencies. */
const parts = {
  configuration: async () => ({ findings: await (await import('./check-configuration.ts')).checkConfiguration() }),
  postgresql: async () => ({ findings: await (await import('./check-postgres.ts')).checkPostgres() }),
  redis: async () => ({ findings: await (await import('./check-redis.ts')).checkRedis() }),
  storage: async () => ({ findings: await (await import('./check-storage.ts')).checkStorage() }),
  mail: async () => ({ findings: await (await import('./check-mail.ts')).checkMail() }),
  telemetry: async () => ({ findings: await (await import('./check-telemetry.ts')).checkTelemetry() }),
  machine: async () => ({ findings: await (await import('./check-machine.ts')).checkMachine() }),
  office: async () => {
    const { findings, office } = await (await import('./check-office.ts')).checkOffice();
    return { findings, facts: { office } };
  },
  fonts: async () => {
    const { findings, fonts } = await (await import('./check-office.ts')).checkFonts();
    return { findings, facts: { fonts } };
  },
} as const satisfies Readonly<Record<string, () => Promise<Report>>>;
type Part = keyof typeof parts;
const partNames = Object.keys(parts) as readonly Part[];

/** A service with warnings works, so only `--strict` turns them into an exit code. */
const exitCodes = { ok: 0, warning: 0, failed: 2 } as const;
const strictExitCodes = { ...exitCodes, warning: 1 } as const;

/** Checks this machine and every dependency of the service, with the environment of a worker or an API process. */
export const doctorCommand: Command = {
  summary:
    'Check every dependency, LibreOffice, fonts, disks, limits and the configuration; exit code 2 for failures, and with --strict 1 for warnings',
  options: { only: optional(`<${partNames.join(',')}>`), strict: flag },
  failureExitCode: 2,
  exitCodeOf(result, options) {
    const { status } = result as Pick<Finding, 'status'>;
    return (options.has('strict') ? strictExitCodes : exitCodes)[status];
  },
  async run(_deps, options) {
    const reports = await Promise.all(readParts(options.get('only')).map(runPart));
    const checks = reports.flatMap(({ findings }) => findings);
    const has = (status: Finding['status']): boolean => checks.some((finding) => finding.status === status);
    const status = has('failed') ? 'failed' : has('warning') ? 'warning' : 'ok';
    const facts = Object.assign({}, ...reports.map((report) => report.facts)) as object;
    return { status, node: process.versions.node, checks, ...facts };
  },
};

function readParts(text: string | undefined): readonly Part[] {
  if (text === undefined) return partNames;
  const wanted = text.split(',').map((name) => name.trim());
  const parted = partNames.filter((name) => wanted.includes(name));
  if (wanted.length === 0 || wanted.some((name) => !Object.hasOwn(parts, name)))
    throw new UsageError(`--only must be a list of ${partNames.join(', ')}, separated by commas`);
  return parted;
}

/** Reports a part with invalid variables in one line; `configuration` has the details. */
async function runPart(name: Part): Promise<Report> {
  try {
    return await parts[name]();
  } catch (error) {
    const fix = 'Correct the variables that it names; see docs/reference/configuration.md';
    if (error instanceof ConfigError) return { findings: [failed(name, `not checked. ${error.message}`, fix)] };
    return { findings: [failed(name, `not checked: ${reasonOf(error)}`, 'See the message')] };
  }
}
