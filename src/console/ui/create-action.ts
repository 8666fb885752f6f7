export interface ActionState {
  readonly isBusy: boolean;
  /** Why the last run failed; undefined once it is started again. */
  readonly error?: unknown;
}

interface Action<Parameters extends readonly unknown[]> {
  /** Starts it, unless it runs already: a second click is no second request. */
  readonly run: (...parameters: Parameters) => void;
  /** Forgets the error. */
  readonly reset: () => void;
}

/** What a person starts, such as with a button. `onState` gets each change of its state; it begins as not busy. */
export function createAction<Parameters extends readonly unknown[]>(
  act: (...parameters: Parameters) => Promise<void>,
  onState: (state: ActionState) => void,
): Action<Parameters> {
  let isBusy = false;
  const change = (state: ActionState): void => {
    isBusy = state.isBusy;
    onState(state);
  };
  const start = async (...parameters: Parameters): Promise<void> => {
    change({ isBusy: true });
    try {
      await act(...parameters);
      change({ isBusy: false });
    } catch (error) {
      change({ isBusy: false, error });
    }
  };
  return {
    run: (...parameters) => void (isBusy || start(...parameters)),
    reset: () => change({ isBusy }),
  };
}
