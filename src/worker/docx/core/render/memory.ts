/** Values that features keep for one render or one part, by the functions that create them. */
export type Memory<Owner> = Map<(owner: Owner) => unknown, unknown>;

/**
 * The value that `make` creates for the owner, on first use. The owner holds it, because a WeakMap of all owners would
 * get new keys with each document and slow down every garbage collection.
 */
export function remembered<Owner extends { readonly memory: Memory<Owner> }, T>(
  owner: Owner,
  make: (owner: Owner) => T,
): T {
  const { memory } = owner;
  if (!memory.has(make)) memory.set(make, make(owner));
  return memory.get(make) as T;
}
