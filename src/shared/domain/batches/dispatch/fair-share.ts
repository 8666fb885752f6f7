/** An account's waiting and in-flight rows in one queue. Times are microseconds of working time. */
export interface AccountDemand {
  readonly accountId: string;
  readonly waiting: number;
  readonly weight: number;
  /** Working time received so far, divided by the weight. */
  readonly virtualTime: number;
  /** Expected working time of a row; undefined until one has ended. */
  readonly costUs: number | undefined;
  readonly inFlight: number;
  /** Working time of the rows in flight: the estimate, or the elapsed time if that is longer. */
  readonly workUs: number;
  /** Rows in flight that no worker has claimed yet. */
  readonly queued: number;
  /** Expected working time of these rows. */
  readonly queuedUs: number;
}

export interface ScheduleLimits {
  /** The number of rows, over all accounts, that may be added. */
  readonly free: number;
  readonly accountRows: number;
  /**
   * Working time that may wait in the queue, and that one account may have in flight. Workers process the queue in
   * order, so shares are fair only while it is short.
   */
  readonly workUs: number;
  /** True if no row waits in the queue, so workers may be idle. */
  readonly isQueueEmpty: boolean;
}

/** How many rows of an account to enqueue now. */
export interface Grant {
  readonly accountId: string;
  readonly rows: number;
}

interface Contender {
  readonly account: AccountDemand;
  readonly costUs: number;
  virtualTime: number;
  granted: number;
}

/** Caps the cost of one slow row at a quarter of the working time that may wait, so that it does not fill the queue. */
const maxShareOfOneRow = 0.25;

/** Estimated cost of a row until the account's first row has ended. */
export const unknownCostUs = 100_000;

/**
 * Divides the free slots of a queue by stride scheduling (Waldspurger & Weihl 1995): each slot goes to the account with
 * the lowest virtual time, which then advances by the row's cost divided by the account's weight. Accounts with slow or
 * unknown rows get few slots at a time, but at least one. If the queue is empty, the next account gets one row beyond
 * its working time limit, so that no worker is idle.
 */
export function schedule(accounts: readonly AccountDemand[], limits: ScheduleLimits): readonly Grant[] {
  const longestUs = limits.workUs * maxShareOfOneRow;
  const contenders = accounts.map((account) => ({
    account,
    costUs: Math.max(1, account.costUs ?? unknownCostUs),
    virtualTime: account.virtualTime,
    granted: 0,
  }));
  let { free } = limits;
  let queuedUs = accounts.reduce((sum, one) => sum + Math.min(one.queuedUs, one.queued * longestUs), 0);
  const grantOne = (candidates: readonly Contender[]): boolean => {
    const next = lowest(candidates);
    if (free <= 0 || next === undefined) return false;
    next.granted += 1;
    next.virtualTime += next.costUs / next.account.weight;
    queuedUs += Math.min(next.costUs, longestUs);
    free -= 1;
    return true;
  };
  while (
    queuedUs < limits.workUs &&
    grantOne(contenders.filter((one) => isWithinRows(one, limits) && isWithinWork(one, limits)))
  );
  if (limits.isQueueEmpty && contenders.every(({ granted }) => granted === 0)) {
    grantOne(contenders.filter((one) => isWithinRows(one, limits)));
  }
  return contenders.flatMap(({ account: { accountId }, granted }) =>
    granted === 0 ? [] : [{ accountId, rows: granted }],
  );
}

function isWithinRows({ account, granted }: Contender, limits: ScheduleLimits): boolean {
  return granted < account.waiting && account.inFlight + granted < limits.accountRows;
}

function isWithinWork({ account, costUs, granted }: Contender, limits: ScheduleLimits): boolean {
  if (account.inFlight + granted === 0) return true;
  if (account.costUs === undefined) return false;
  return account.workUs + (granted + 1) * costUs <= limits.workUs;
}

function lowest(contenders: readonly Contender[]): Contender | undefined {
  return contenders.reduce<Contender | undefined>(
    (best, one) => (best === undefined || one.virtualTime < best.virtualTime ? one : best),
    undefined,
  );
}
