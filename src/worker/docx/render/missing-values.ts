import type { Scope } from '../language/scope.ts';
import { docxLimits } from '../limits.ts';
import type { Warning } from '../sanitise/warnings.ts';
import type { AskingNode } from './asking-node.ts';

/** Counts the values that tags looked for and the data does not have; keeps the first paths. */
export class MissingValues {
  readonly #paths = new Set<string>();
  #count = 0;

  /** The paths missing here, empty when enough are known. */
  add({ expression }: AskingNode, scope: Scope): readonly string[] {
    this.#count++;
    if (this.#paths.size >= docxLimits.errorDetails) return [];
    const missing = expression.missing?.(scope) ?? [expression.locate(scope)];
    const paths = missing.slice(0, docxLimits.errorDetails - this.#paths.size);
    for (const path of paths) this.#paths.add(path);
    return paths;
  }

  warnings(): Warning[] {
    const paths = [...this.#paths];
    if (paths.length === 0) return [];
    const are = this.#count === 1 ? '1 value is' : `${this.#count} values are`;
    const message = `${are} missing: ${shortList(paths)}.`;
    return [{ code: 'missing_value', message, paths, count: this.#count }];
  }
}

const mostInSentence = 5;

export function shortList(names: readonly string[]): string {
  const shown = names.slice(0, mostInSentence).map((name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name));
  return shown.join(', ') + (names.length > mostInSentence ? ' …' : '');
}
