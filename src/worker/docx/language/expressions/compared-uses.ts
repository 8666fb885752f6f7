import type { Use } from '../use.ts';
import type { Operand } from './operand.ts';

/** What a comparison tells of both its sides: each has the type of the other. */
export function comparedUses(operator: string, left: Operand, right: Operand): Use[] {
  return [...usesOf(left, operator, right), ...usesOf(right, mirrored[operator] ?? operator, left)];
}

const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

function usesOf(operand: Operand, operator: string, other: Operand): Use[] {
  const kind = other.result === 'number' ? 'number' : other.result === 'text' ? 'text' : 'any';
  const sample = sampleFor(operator, other.constant?.value);
  return operand.uses(kind).map((use) => (sample === undefined ? use : { sample, ...use }));
}

/** A value that makes the comparison true. */
function sampleFor(operator: string, value: unknown): unknown {
  if (typeof value === 'number') return value + (steps[operator] ?? 0);
  if (typeof value === 'boolean') return operator.startsWith('!') ? !value : value;
  return typeof value === 'string' && operator !== '!=' && operator !== '!==' ? value : undefined;
}

const steps: Readonly<Record<string, number>> = { '>': 1, '<': -1, '!=': 1, '!==': 1 };
