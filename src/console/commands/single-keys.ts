import { signal } from '@preact/signals';

const storageName = 'docmill.shortcuts';

/** Whether shortcuts of single keys are on. People who dictate need to turn them off (WCAG 2.2, 2.1.4). */
export const hasSingleKeys = signal(localStorage.getItem(storageName) !== 'off');

export function allowSingleKeys(isOn: boolean): void {
  hasSingleKeys.value = isOn;
  if (isOn) localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, 'off');
}
