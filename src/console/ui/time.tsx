import { formatAge, formatTime } from './format.ts';

/** A relative time, with the exact time as a tooltip. */
export function Time({ value }: { readonly value: string }) {
  return (
    <time dateTime={value} title={formatTime(value)}>
      {formatAge(value)}
    </time>
  );
}
