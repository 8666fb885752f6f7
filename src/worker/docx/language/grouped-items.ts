const place = Symbol('place');

/** The items of one group of a list, with their places in the data. */
interface GroupedItems extends Array<unknown> {
  [place]?: (index: number) => string;
}

/** Notes the JSON path of each item of a group. */
export function withPlaces(items: readonly unknown[], pathOf: (index: number) => string): readonly unknown[] {
  const grouped: GroupedItems = [...items];
  grouped[place] = pathOf;
  return grouped;
}

/** The JSON path in the data of an item, if a formatter grouped its list. */
export function placeInData(list: unknown, index: number): string | undefined {
  return Array.isArray(list) ? (list as GroupedItems)[place]?.(index) : undefined;
}
