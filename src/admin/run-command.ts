import { hostname, userInfo } from 'node:os';
import { loadActorConfig } from '../shared/config/load-config.ts';
import { inTransaction } from '../shared/db/transaction.ts';
import { type AdminAct, type Operator, recordAct } from '../shared/domain/audit/record-act.ts';
import { recordingFailure } from '../shared/domain/audit/recording-failure.ts';
import { type AdminDeps, type Options, type ParsedCommand, UsageError } from './parse-command.ts';

const maxActorChars = 100;

/** Runs a command and records what it changes in the audit log. */
export async function runCommand(
  deps: AdminDeps,
  parsed: ParsedCommand,
  operator: Operator = readOperator(parsed.actor),
): Promise<object> {
  const { command, options } = parsed;
  const act = toAct(parsed, operator);
  if ('act' in command) {
    const change = command.act(options);
    return await recordingFailure(
      deps.db,
      act,
      () =>
        inTransaction(deps.db, async (tx) => {
          const result = await change(tx);
          await recordAct(tx, { ...act, ...targetOf(options, result), outcome: 'succeeded' });
          return result;
        }),
      isRecorded,
    );
  }
  if ('run' in command && command.isRecorded?.(options) !== true) return await command.run(deps, options);
  const work = 'steps' in command ? command.steps(options) : () => command.run(deps, options);
  const startId = 'steps' in command ? await recordAct(deps.db, { ...act, outcome: 'started' }) : undefined;
  return await recordingFailure(
    deps.db,
    { ...act, startId },
    async () => {
      const result = await work(deps);
      const counts = startId === undefined ? undefined : countsOf(result);
      await recordAct(deps.db, { ...act, ...targetOf(options, result), outcome: 'succeeded', counts, startId });
      return result;
    },
    isRecorded,
  );
}

/** The user and host of this process, and the name given with `--actor` or `DOCMILL_ACTOR`. */
function readOperator(actor: string | undefined): Operator {
  const named = actor?.trim() ?? loadActorConfig().DOCMILL_ACTOR;
  if (named.length > maxActorChars) throw new UsageError(`--actor must be at most ${maxActorChars} characters`);
  return { actor: named === '' ? undefined : named, osUser: readUser(), host: hostname() };
}

function readUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without an entry in /etc/passwd.
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Usage errors change nothing and are not recorded. */
const isRecorded = (error: unknown): boolean => !(error instanceof UsageError);

/** Hints of options whose values identify or count something. Other values may be names, addresses or secrets. */
const recordedHints =
  /^<(?:\w+Id|n|date|time|day|month|duration|version|fingerprint|queue|engine|\d+-\d+|live\|test)>$|,/;

function toAct({ name, command, options }: ParsedCommand, operator: Operator): Omit<AdminAct, 'outcome'> {
  const isPlain = ([option]: readonly [string, string]): boolean => {
    const hint = command.options[option]?.hint;
    return hint === undefined || recordedHints.test(hint);
  };
  return { operator, action: name, options: Object.fromEntries([...options].filter(isPlain)), ...targetOf(options) };
}

/** Numbers are safe to record, because they identify nobody. */
function countsOf(result: object): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(result).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** The account and target that a command changed, according to its options and result. */
function targetOf(options: Options, result?: object): Pick<AdminAct, 'accountId' | 'target'> {
  const found = Object.entries(result ?? {});
  const fromResult = (name: string): string | undefined =>
    found.flatMap(([key, value]) => (key === name && typeof value === 'string' ? [value] : []))[0];
  const accountId = options.get('account') ?? fromResult('accountId');
  const named = [
    'key',
    'template',
    'document',
    'fingerprint',
    'batch',
    'delivery',
    'worker',
    'queue',
    'webhook',
    'operator-key',
  ];
  const target =
    named.flatMap((name) => options.get(name) ?? [])[0] ??
    fromResult('keyId') ??
    fromResult('operatorKeyId') ??
    fromResult('creditsId') ??
    accountId;
  return { accountId, target };
}
