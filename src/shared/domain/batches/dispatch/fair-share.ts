/** What an account wants from one queue, and what it already has there. Times are microseconds of working time. */
export interface AccountDemand {
  readonly accountId: string;
  readonly waiting: number;
  readonly weight: number;
  /** Working time received so far, divided by the weight. */
  readonly virtualTime: number;
  /** Expected working time of a row; undefined until one has ended. */
  readonly costUs: number | undefined;
  readonly inFlight: number;
  /** Working time of the rows in flight: the estimate, or the elapsed time where that is longer. */
  readonly workUs: number;
  /** Rows in flight that no worker has claimed yet. */
  readonly queued: number;
  /** Expected working time of those. */
  readonly queuedUs: number;
}

export interface ScheduleLimits {
  /** Rows that may be added over all accounts. */
  readonly free: number;
  readonly accountRows: number;
  /**
   * Working time that may wait in the queue, and that one account may have in flight. Workers take jobs first in, first
   * out, so shares are only fair while the queue is short.
   */
  readonly workUs: number;
  /** Nothing waits in the queue, so workers may be idle. */
  readonly isDry: boolean;
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

/** One slow row must not fill the queue: it counts as at most a quarter of what may wait. */
const maxShareOfOneRow = 0.25;

/** Charged for a row of an account without history, until one has ended. */
export const unknownCostUs = 100_000;

/**
 * Divides the free places of a queue by stride scheduling (Waldspurger & Weihl 1995): each place goes to the account with
 * the lowest virtual time, which then advances by the row's cost divided by the account's weight. Accounts with slow or
 * unknown rows get few places at a time but at least one. In a dry queue the next account gets one row beyond its working
 * time limit, so that no worker idles.
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
  if (limits.isDry && contenders.every(({ granted }) => granted === 0)) {
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
