import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const storageName = 'docmill.theme';
const stored = localStorage.getItem(storageName);

export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system');

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.value;
}

export function chooseTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem(storageName, next);
  applyTheme();
}
