const notInNames = /[|*+<>=!?()[\]{}"'`,:;%/\\“”„‟″«»‘’‚‛′×÷≤≥≠]|\s[-–—−]\s|^[-–—−]|&&/;
const operatorWords = /(?:^|\s)(?:and|or|not)(?:\s|$)/;
const literals = /^(?:true|false|null|\d[\d.]*(?:e\d+)?)$/i;

/** Whether a string can only be a name or a dotted path: `name`, `first name`, `customer.first-name`, `.`. */
export function isPlainName(text: string): boolean {
  return !notInNames.test(text) && !operatorWords.test(text);
}

/** Like `isPlainName`, but inside an expression, where `5` and `true` are values. */
export function isPlainOperand(text: string): boolean {
  return isPlainName(text) && !literals.test(text);
}

const certainlyExpression =
  /[|*+<>=[\]"“”„‟″«»×÷≤≥≠`\\]|&&|\s[-–—−%?/]\s|[\w)\]]\(|^[-–—−!(]|^not\s|\s(?:and|or)\s+not\s/;

/** Whether an invalid expression is meant as one, rather than as a name such as `Total (EUR)` or `Paid?`. */
export function isMeantAsExpression(text: string): boolean {
  return certainlyExpression.test(text);
}
