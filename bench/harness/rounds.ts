export interface Contender<T> {
  readonly name: string;
  readonly run: () => Promise<T> | T;
}

/**
 * Runs all contenders in each round, so that other load on the machine affects all of them alike. The order rotates and
 * reverses between rounds, so that no contender always follows the same neighbour.
 */
export async function alternate<T>(
  contenders: readonly Contender<T>[],
  rounds: number,
): Promise<ReadonlyMap<string, readonly T[]>> {
  const samples = new Map<string, T[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of inRound(contenders, round)) samples.get(name)?.push(await run());
  }
  return samples;
}

/** The contenders in the order in which they run in a round. */
export function inRound<T>(contenders: readonly T[], round: number): readonly T[] {
  const shift = Math.floor(round / 2) % Math.max(1, contenders.length);
  const rotated = [...contenders.slice(shift), ...contenders.slice(0, shift)];
  return round % 2 === 0 ? rotated : rotated.reverse();
}

/** The samples of a contender; throws if there is none with that name. */
export function samplesOf<T>(samples: ReadonlyMap<string, readonly T[]>, name: string): readonly T[] {
  const found = samples.get(name);
  if (found === undefined) throw new Error(`no contender is called "${name}"`);
  return found;
}
