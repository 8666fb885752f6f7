/** An account that has rows waiting for one lane. Times are microseconds of working time. */
export interface AccountTurn {
  readonly accountId: string;
  readonly waiting: number;
  readonly weight: number;
  /** Where it stands; the lowest goes next. */
  readonly pass: number;
  /** What a row of it takes; undefined until one has ended. */
  readonly costUs: number | undefined;
  readonly inFlight: number;
  /** What its rows under way are expected to take, or have taken already. */
  readonly workUs: number;
  /** Of its rows under way, those that no worker has yet: how many, and what they are expected to take. */
  readonly queued: number;
  readonly queuedUs: number;
}

export interface TurnLimits {
  /** Rows under way that may be added, over all accounts. */
  readonly free: number;
  readonly accountRows: number;
  /**
   * Working time that may wait in the lane, and that one account may have under way. It is what makes turns count: the
   * lane takes rows in the order in which they came, so whoever puts most into it has most of it.
   */
  readonly workUs: number;
  /** Nothing waits in the lane: its workers may be idle. */
  readonly isDry: boolean;
}

export interface Turn {
  readonly accountId: string;
  readonly rows: number;
}

interface Runner {
  readonly account: AccountTurn;
  readonly costUs: number;
  pass: number;
  taken: number;
}

/** Slow rows in the lane keep others out of it only so far: each counts as a quarter of what may wait. */
const longestShare = 0.25;

/** A row of an account that nothing is known of is charged so much until it has ended. */
export const unknownCostUs = 100_000;

/**
 * Deals the free places out by turns: always to the account that has had the least working time for its weight, among
 * those within their limits, until enough waits in the lane. An account whose rows are slow, or that is new, has few under
 * way, at least one; but when the lane is dry the next in turn has one more, so that no worker stands idle for a limit.
 */
export function takeTurns(accounts: readonly AccountTurn[], limits: TurnLimits): readonly Turn[] {
  const longestUs = limits.workUs * longestShare;
  const runners = accounts.map((account) => ({
    account,
    costUs: Math.max(1, account.costUs ?? unknownCostUs),
    pass: account.pass,
    taken: 0,
  }));
  let { free } = limits;
  let queuedUs = accounts.reduce((sum, one) => sum + Math.min(one.queuedUs, one.queued * longestUs), 0);
  const deal = (candidates: readonly Runner[]): boolean => {
    const next = lowest(candidates);
    if (free <= 0 || next === undefined) return false;
    next.taken += 1;
    next.pass += next.costUs / next.account.weight;
    queuedUs += Math.min(next.costUs, longestUs);
    free -= 1;
    return true;
  };
  while (
    queuedUs < limits.workUs &&
    deal(runners.filter((runner) => mayHave(runner, limits) && isWithinWork(runner, limits)))
  );
  if (limits.isDry && runners.every(({ taken }) => taken === 0)) {
    deal(runners.filter((runner) => mayHave(runner, limits)));
  }
  return runners.flatMap(({ account, taken }) => (taken === 0 ? [] : [{ accountId: account.accountId, rows: taken }]));
}

function mayHave({ account, taken }: Runner, limits: TurnLimits): boolean {
  return taken < account.waiting && account.inFlight + taken < limits.accountRows;
}

function isWithinWork({ account, costUs, taken }: Runner, limits: TurnLimits): boolean {
  if (account.inFlight + taken === 0) return true;
  if (account.costUs === undefined) return false;
  return account.workUs + (taken + 1) * costUs <= limits.workUs;
}

function lowest(runners: readonly Runner[]): Runner | undefined {
  return runners.reduce<Runner | undefined>(
    (best, runner) => (best === undefined || runner.pass < best.pass ? runner : best),
    undefined,
  );
}
