import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { hasOwn, isRecord } from './json-value.ts';

type Step = string | number;

/** A huge index would fill memory with empty elements. */
const maxIndex = 9_999;

/**
 * Applies assignments such as `customer.name=Ada` and `items[0].price=9.5` to a copy of `data`. A value that is valid
 * JSON keeps its type; any other is a string. With `isText`, every value is a string.
 */
export function applyAssignments(
  data: Readonly<Record<string, unknown>>,
  assignments: readonly { readonly text: string; readonly isText: boolean }[],
): Record<string, unknown> {
  const result = structuredClone(data) as Record<string, unknown>;
  for (const { text, isText } of assignments) assign(result, text, isText);
  return result;
}

function assign(root: Record<string, unknown>, text: string, isText: boolean): void {
  const equals = text.indexOf('=');
  if (equals < 1) throw badAssignment(text, 'write path=value, such as customer.name=Ada');
  const steps = parsePath(text.slice(0, equals), text);
  const value = isText ? text.slice(equals + 1) : parseValue(text.slice(equals + 1));
  let target: Record<string, unknown> | unknown[] = root;
  for (const [position, step] of steps.entries()) {
    const next = steps[position + 1];
    if (next === undefined) write(target, step, value, text);
    else target = descend(target, step, typeof next === 'number' ? [] : {}, text);
  }
}

/** `customer.name`, `items[0].price`, `lines[2]`. */
function parsePath(path: string, text: string): readonly Step[] {
  if (!/^[^.[\]]+(?:\.[^.[\]]+|\[\d+\])*$/.test(path))
    throw badAssignment(text, `${JSON.stringify(path)} is not a path`);
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) => {
    if (index === undefined) return part;
    if (Number(index) > maxIndex) throw badAssignment(text, `an index is at most ${maxIndex}`);
    return Number(index);
  });
}

function descend(
  target: Record<string, unknown> | unknown[],
  step: Step,
  empty: Record<string, unknown> | unknown[],
  text: string,
): Record<string, unknown> | unknown[] {
  const existing = read(target, step);
  if (isRecord(existing) || Array.isArray(existing)) return existing;
  if (existing !== undefined && existing !== null)
    throw badAssignment(text, 'a value on its path is neither object nor list');
  write(target, step, empty, text);
  return empty;
}

function read(target: Record<string, unknown> | unknown[], step: Step): unknown {
  if (Array.isArray(target)) return typeof step === 'number' ? target[step] : undefined;
  return hasOwn(target, String(step)) ? target[String(step)] : undefined;
}

function write(target: Record<string, unknown> | unknown[], step: Step, value: unknown, text: string): void {
  if (Array.isArray(target)) {
    if (typeof step !== 'number')
      throw badAssignment(text, `${JSON.stringify(step)} names a field of a list; write [0]`);
    while (target.length < step) target.push(null);
    target[step] = value;
    return;
  }
  if (typeof step === 'number') throw badAssignment(text, `[${step}] is an element of a value that is not a list`);
  // Creates an ordinary property even for names such as __proto__.
  Object.defineProperty(target, step, { value, enumerable: true, writable: true, configurable: true });
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function badAssignment(text: string, problem: string): CliError {
  return new CliError(exitCodes.usage, `--set ${JSON.stringify(text.slice(0, 100))}: ${problem}.`);
}
