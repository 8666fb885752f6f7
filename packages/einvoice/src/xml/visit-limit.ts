/** The maximum number of nodes that a validation visits: several times what an invoice of a thousand lines needs. */
const maxVisits = 60_000_000;
let visits = 0;

/** The time of some rules grows with the square of the number of lines, so a limit of the file size is not enough. */
export class TooManyVisits extends Error {}

/** Call before each validation. A validation is synchronous, so one counter for the process is enough. */
export function startCounting(): void {
  visits = 0;
}

export function visit(nodes: number): void {
  visits += nodes;
  if (visits > maxVisits) throw new TooManyVisits();
}
