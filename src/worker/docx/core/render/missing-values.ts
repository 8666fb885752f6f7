import { type Expression, joinPath, type Scope } from '../../language/scope.ts';
import { docxLimits } from '../../limits.ts';
import type { AskingNode } from '../value-node.ts';
import type { Warning } from '../warning.ts';
import { nearestKey } from './nearest-key.ts';

export interface MissingPath {
  readonly path: string;
  /** What the data has instead, where the name looks like a slip. */
  readonly nearest: string | undefined;
}

const mostNearest = 10;

/** Counts the values that tags looked for and the data does not have; keeps the first paths. */
export class MissingValues {
  readonly #paths = new Map<string, MissingPath>();
  #count = 0;

  /** The paths missing here, empty when enough are known. */
  add({ expression }: AskingNode, scope: Scope): readonly MissingPath[] {
    this.#count++;
    if (this.#paths.size >= docxLimits.errorDetails) return [];
    const missing = expression.missing?.(scope) ?? [expression.locate(scope)];
    const paths = missing.slice(0, docxLimits.errorDetails - this.#paths.size);
    return paths.map((path) => {
      const known = this.#paths.get(path);
      if (known !== undefined) return known;
      const nearest = this.#paths.size < mostNearest ? nearestTo(path, expression, scope) : undefined;
      const found = { path, nearest };
      this.#paths.set(path, found);
      return found;
    });
  }

  warnings(): Warning[] {
    const paths = [...this.#paths.keys()];
    if (paths.length === 0) return [];
    const are = this.#count === 1 ? '1 value is' : `${this.#count} values are`;
    const message = `${are} missing: ${shortList([...this.#paths.values()].map(withNearest))}.`;
    return [{ code: 'missing_value', message, paths, count: this.#count }];
  }
}

function nearestTo(path: string, expression: Expression, scope: Scope): string | undefined {
  const use = expression.uses('print').find(({ segments }) => segments.reduce(joinPath, scope.path) === path);
  return use === undefined ? undefined : nearestKey(use.segments, scope);
}

function withNearest({ path, nearest }: MissingPath): string {
  return nearest === undefined ? path : `${path} (the data has ${nearest})`;
}

const mostInSentence = 5;

export function shortList(names: readonly string[]): string {
  const shown = names.slice(0, mostInSentence).map((name) => (name.length > 200 ? `${name.slice(0, 200)}…` : name));
  return shown.join(', ') + (names.length > mostInSentence ? ' …' : '');
}
