export interface Side<T> {
  readonly name: string;
  readonly run: () => Promise<T> | T;
}

/**
 * Lets the sides take turns, so that what else the machine does falls on all alike. Each round begins with another side
 * and every second one goes backwards: none always runs in the wake of the same neighbour.
 */
export async function alternate<T>(
  sides: readonly Side<T>[],
  rounds: number,
  tell: (round: number) => void = () => undefined,
): Promise<ReadonlyMap<string, readonly T[]>> {
  const samples = new Map<string, T[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    tell(round);
    for (const { name, run } of orderOf(sides, round)) samples.get(name)?.push(await run());
  }
  return samples;
}

export function orderOf<T>(sides: readonly T[], round: number): readonly T[] {
  const shift = Math.floor(round / 2) % Math.max(1, sides.length);
  const turned = [...sides.slice(shift), ...sides.slice(0, shift)];
  return round % 2 === 0 ? turned : turned.reverse();
}

/** The samples of a side that is known to have run. */
export function samplesOf<T>(samples: ReadonlyMap<string, readonly T[]>, name: string): readonly T[] {
  const found = samples.get(name);
  if (found === undefined) throw new Error(`no side is called "${name}"`);
  return found;
}
