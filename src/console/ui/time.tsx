import { formatAge, formatTime } from './format.ts';

/** How long ago it was; the exact time when the pointer rests on it. */
export function Time({ value }: { readonly value: string }) {
  return (
    <time dateTime={value} title={formatTime(value)}>
      {formatAge(value)}
    </time>
  );
}
