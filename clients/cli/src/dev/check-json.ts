import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** A syntax error in a data file with its position, counted from 1. */
export interface JsonProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Undefined if the text is a JSON object. */
export function checkJsonObject(text: string): JsonProblem | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return describeError(text);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  return { message: 'The data must be a JSON object, such as {"name": "value"}.', line: 1, column: 1 };
}

/** Messages for the parser's error codes. */
const reasons: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a key in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'there is more after the end',
  InvalidSymbol: 'this is no value (keys and texts are in double quotes)',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfString: 'a text does not end',
};

/** Needed because the runtime's own messages often lack a position. */
function describeError(text: string): JsonProblem {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [first] = errors;
  const code = first === undefined ? 'InvalidSymbol' : printParseErrorCode(first.error);
  const lines = text.slice(0, first?.offset ?? 0).split('\n');
  const reason = reasons[code] ?? 'a character is not allowed here';
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return { message: `The data is not valid JSON: ${reason}.`, line: lines.length, column };
}
