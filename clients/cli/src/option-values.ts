import { InvalidArgumentError } from '@commander-js/extra-typings';

/** A parser of an option for a whole number within limits. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Collects the values of an option that may be repeated. */
export function collect(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}
