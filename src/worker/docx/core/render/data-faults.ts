import { AppError, type ErrorDetail } from '../../../../shared/errors.ts';
import { docxLimits } from '../../limits.ts';

/** Collects the mistakes in the data, so that a client gets all of them at once. */
export class DataFaults {
  readonly #byPath = new Map<string, ErrorDetail>();
  #included: string | undefined;

  get isFull(): boolean {
    return this.#byPath.size >= docxLimits.errorDetails;
  }

  /** Keeps only the first entry for each path. */
  add(path: string, message: string, hint?: string): void {
    const where = this.#included === undefined ? '' : `In the included template "${this.#included}": `;
    const detail = { type: 'Field', path, message: `${where}${message}` } as const;
    if (!this.#byPath.has(path)) this.#byPath.set(path, hint === undefined ? detail : { ...detail, hint });
  }

  /** Names the included template in the mistakes that `work` finds. */
  within(template: string, work: () => void): void {
    const outer = this.#included;
    this.#included = template;
    work();
    this.#included = outer;
  }

  throwIfAny(): void {
    if (this.#byPath.size === 0) return;
    throw new AppError('data_invalid', 'The data does not fit the template', { details: [...this.#byPath.values()] });
  }
}
