import { formatAge, formatDate, formatTime } from './format.ts';

interface TimeProps {
  readonly value: string;
  /** Whether the exact time is shown as well. It is always in the tooltip, which phones do not have. */
  readonly isExact?: boolean;
}

/** A relative time, with the exact time beside it or as a tooltip. */
export function Time({ value, isExact = false }: TimeProps) {
  const [age, exact] = [formatAge(value), formatTime(value)];
  const isRelative = age !== formatDate(value);
  return (
    <time dateTime={value} title={exact}>
      {isExact && !isRelative ? exact : age}
      {isExact && isRelative && <span class="exact-time"> · {exact}</span>}
    </time>
  );
}
