/**
 * Round values from 0 that cover `max`, in steps of 1, 2 or 5 times a power of ten; the last one is at least `max`.
 * `isWhole` avoids fractions, for counts.
 */
export function roundTicks(max: number, count: number, isWhole = false): readonly number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(max / count));
  const factor = [1, 2, 5, 10].find((one) => one * power * count >= max * (1 - 1e-9)) ?? 10;
  const step = isWhole ? Math.max(1, factor * power) : factor * power;
  const steps = Math.ceil(max / step - 1e-9);
  // Rounds to the digits of the step, because 3 * 0.1 is not 0.3.
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** Steps that people count time in, from 5 s to 12 h. */
const timeSteps = [5, 10, 15, 30].flatMap((count) => [count * second, count * minute]);
const hourSteps = [1, 2, 3, 6, 12].map((count) => count * hour);
const longSteps = [...timeSteps, minute, 2 * minute, ...hourSteps].toSorted((a, b) => a - b);

/**
 * Round times from 0 that cover `maxMs` in at most 4 steps: decimal steps up to about a minute, then whole minutes and
 * hours.
 */
export function timeTicks(maxMs: number): readonly number[] {
  const count = 4;
  if (!(maxMs > count * 5 * second)) return roundTicks(maxMs, count);
  const days = Math.ceil(maxMs / count / (24 * hour)) * 24 * hour;
  const step = longSteps.find((one) => one * count >= maxMs) ?? days;
  return Array.from({ length: Math.ceil(maxMs / step) + 1 }, (_, index) => index * step);
}

/**
 * The position of a span on an axis, in percent. Every span is at least `minPercent` wide, and none extends beyond the
 * axis.
 */
export function placeSpan(
  span: { readonly startMs: number; readonly endMs: number },
  axis: { readonly startMs: number; readonly endMs: number },
  minPercent = 0.6,
): { readonly left: number; readonly width: number } {
  const total = Math.max(axis.endMs - axis.startMs, 1);
  const percent = (ms: number): number => Math.min(100, Math.max(0, ((ms - axis.startMs) / total) * 100));
  const start = percent(span.startMs);
  const width = Math.min(100, Math.max(minPercent, percent(span.endMs) - start));
  return { left: Math.min(start, 100 - width), width };
}
