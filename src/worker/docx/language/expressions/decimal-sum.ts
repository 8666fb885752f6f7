import { decimalsOf, tidy, withDecimals } from './arithmetic.ts';

/**
 * A sum of decimal numbers. It is compensated (Kahan–Babuška) and rounded to the decimals of its numbers, so that cents
 * stay exact however many are added.
 */
export class DecimalSum {
  #total = 0;
  #compensation = 0;
  #decimals = 0;

  add(number: number): void {
    const total = this.#total;
    const next = total + number;
    this.#compensation += Math.abs(total) >= Math.abs(number) ? total - next + number : number - next + total;
    this.#total = next;
    this.#decimals = Math.max(this.#decimals, decimalsOf(number));
  }

  /** Not finite if the sum is too large for a number. */
  get value(): number {
    const sum = tidy(withDecimals(this.#total + this.#compensation, this.#decimals));
    return sum === 0 ? 0 : sum;
  }
}
