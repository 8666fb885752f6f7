import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const shownMs = 6_000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Briefly confirms an action. Errors are shown in the page, where they belong. */
export function showToast(text: string): void {
  lastId += 1;
  const toast = { id: lastId, text };
  toasts.value = [...toasts.value.slice(-2), toast];
  setTimeout(() => {
    toasts.value = toasts.value.filter(({ id }) => id !== toast.id);
  }, shownMs);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
