/** Holds the newest value for one taker; older ones are dropped. */
export interface Mailslot<T> {
  readonly put: (value: T) => void;
  /** The newest value that was not taken yet, as soon as there is one; undefined when none comes in time. */
  readonly take: (timeoutMs: number) => Promise<{ readonly value: T } | undefined>;
}

export function createMailslot<T>(): Mailslot<T> {
  let held: { readonly value: T } | undefined;
  let wake: (() => void) | undefined;
  return {
    put(value) {
      held = { value };
      wake?.();
    },
    async take(timeoutMs) {
      if (held === undefined) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      const taken = held;
      held = undefined;
      return taken;
    },
  };
}
