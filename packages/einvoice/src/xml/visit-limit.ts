/** How many nodes a validation may visit: several times what an invoice of a thousand lines needs. */
const maxVisits = 60_000_000;
let visits = 0;

/** Some rules take time that grows with the square of a list, so a limit of the size is not enough. */
export class TooManyVisits extends Error {}

/** Before an invoice is validated. That happens without pause, so that one counter is enough. */
export function startCounting(): void {
  visits = 0;
}

export function visit(nodes: number): void {
  visits += nodes;
  if (visits > maxVisits) throw new TooManyVisits();
}
