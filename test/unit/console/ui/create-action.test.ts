import { expect, test, vi } from 'vitest';
import { type ActionState, createAction } from '../../../../src/console/ui/create-action.ts';

/** Creates an action whose runs end when the test ends them. */
function start() {
  const states: ActionState[] = [];
  const runs: { readonly name: string; readonly succeed: () => void; readonly fail: (error: Error) => void }[] = [];
  const action = createAction(
    (name: string) =>
      new Promise<void>((succeed, fail) => {
        runs.push({ name, succeed, fail });
      }),
    (state) => states.push(state),
  );
  const settled = (count: number) => vi.waitFor(() => expect(states).toHaveLength(count));
  return { ...action, states, runs, settled };
}

test('a second click sends no second request, but a click after the end does', async () => {
  const { run, runs, states, settled } = start();
  run('first');
  run('second');
  expect(runs.map(({ name }) => name)).toEqual(['first']);
  runs[0]?.succeed();
  await settled(2);
  run('third');
  expect(runs.map(({ name }) => name)).toEqual(['first', 'third']);
  expect(states).toEqual([{ isBusy: true }, { isBusy: false }, { isBusy: true }]);
});

test('an error stays until the action is started again', async () => {
  const { run, runs, states, settled } = start();
  run('first');
  const error = new Error('refused');
  runs[0]?.fail(error);
  await settled(2);
  run('second');
  expect(states).toEqual([{ isBusy: true }, { isBusy: false, error }, { isBusy: true }]);
});

test('dismissing an error does not stop a running action', async () => {
  const { run, reset, runs, states, settled } = start();
  run('first');
  reset();
  run('second');
  expect(runs).toHaveLength(1);
  runs[0]?.fail(new Error('refused'));
  await settled(3);
  reset();
  expect(states.slice(1)).toEqual([
    { isBusy: true },
    { isBusy: false, error: new Error('refused') },
    { isBusy: false },
  ]);
});

test('an action that throws at once has failed, and can be started again', async () => {
  const states: ActionState[] = [];
  const error = new Error('no file');
  const { run } = createAction(
    () => {
      throw error;
    },
    (state) => states.push(state),
  );
  for (const count of [2, 4]) {
    run();
    await vi.waitFor(() => expect(states).toHaveLength(count));
    expect(states.at(-1)).toEqual({ isBusy: false, error });
  }
});
