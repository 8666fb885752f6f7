/** An invalid expression. The message completes "the tag {x} is not valid: …". */
export class ExpressionError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'ExpressionError';
    this.hint = hint;
  }
}
