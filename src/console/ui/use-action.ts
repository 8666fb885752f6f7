import { useRef, useState } from 'preact/hooks';
import { type ActionState, createAction } from './create-action.ts';

/** An action started by the user, for example with a button: whether it is running, and why it failed. */
export function useAction<Parameters extends readonly unknown[]>(act: (...parameters: Parameters) => Promise<void>) {
  const [state, setState] = useState<ActionState>({ isBusy: false });
  const latest = useRef(act);
  latest.current = act;
  const [action] = useState(() => createAction((...parameters: Parameters) => latest.current(...parameters), setState));
  return { ...action, isBusy: state.isBusy, error: state.error };
}
