import { AppError } from '../../../../shared/errors.ts';
import type { Delimiters } from '../../../../shared/template-syntax.ts';
import { docxLimits, expressionLimits } from '../../limits.ts';

/** Counts the work of one render over all parts. Throws `render_limit` when a limit is exceeded. */
export class Budget {
  #iterations = 0;
  #lookups = 0;
  #chars = 0;
  #listItems = 0;
  readonly #delimiters: Delimiters;

  constructor(delimiters: Delimiters) {
    this.#delimiters = delimiters;
  }

  iteration(tag: string): void {
    if (++this.#iterations > docxLimits.iterations) {
      throw tooMuch(
        `The sections of the document repeat more than ${docxLimits.iterations} times in all`,
        this.#written(tag),
      );
    }
  }

  lookup(tag: string): void {
    if (++this.#lookups > docxLimits.lookups) {
      throw tooMuch(`The document looks up more than ${docxLimits.lookups} values`, this.#written(tag));
    }
  }

  /** Counts list items that formatters visit. */
  listItems(count: number): void {
    this.#listItems += count;
    if (this.#listItems > expressionLimits.listItems) {
      throw tooMuch(
        `The formatters of the document visit more than ${expressionLimits.listItems} list items in all`,
        '',
      );
    }
  }

  write(chars: number, tag: string): void {
    this.#chars += chars;
    if (this.#chars > docxLimits.outputBytes) throw tooLarge(this.#written(tag));
  }

  #written(tag: string): string {
    return tag === '' ? '' : `${this.#delimiters.open}${tag}${this.#delimiters.close}`;
  }
}

export function tooLarge(tag: string): AppError {
  return tooMuch(`The document becomes larger than ${docxLimits.outputBytes / 1024 / 1024} MB of XML`, tag);
}

function tooMuch(message: string, tag: string): AppError {
  const hint = 'render fewer rows in one document';
  return new AppError('render_limit', message, {
    details: [tag === '' ? { type: 'Message', message, hint } : { type: 'Message', message, tag, hint }],
  });
}
