export interface ActionState {
  readonly isBusy: boolean;
  /** Why the last run failed; cleared when it starts again. */
  readonly error?: unknown;
}

interface Action<Parameters extends readonly unknown[]> {
  /** Starts the action unless it is running, so that a double click sends one request. */
  readonly run: (...parameters: Parameters) => void;
  /** Forgets the error. */
  readonly reset: () => void;
}

/** An action started by the user, for example with a button. It starts as not busy; `onState` receives every change. */
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
