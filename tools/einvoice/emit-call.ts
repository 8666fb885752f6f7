import { asBoolean, asMany, asOne, asText, type Code, type Scope } from './code.ts';

type Emit = (codes: readonly Code[], scope: Scope) => Code;

const text = (js: string): Code => ({ js, type: 'string' });
const boolean = (js: string): Code => ({ js, type: 'boolean' });
const one = (js: string): Code => ({ js, type: 'one' });

/** The argument, or the context node if the call has no argument. */
function argument(codes: readonly Code[], scope: Scope): Code {
  return codes[0] ?? { js: `[${scope.node}]`, type: 'nodes' };
}

const ofTexts =
  (name: string, wrap: (js: string) => Code): Emit =>
  (codes) =>
    wrap(`${name}(${codes.map(asText).join(', ')})`);

const ofTextMethod =
  (method: string): Emit =>
  ([subject, ...rest]) =>
    boolean(`${asText(required(subject))}.${method}(${rest.map(asText).join(', ')})`);

const ofOne =
  (name: string): Emit =>
  ([code]) =>
    one(`${name}(${asOne(required(code))})`);

const ofMany =
  (name: string, wrap: (js: string) => Code): Emit =>
  ([code]) =>
    wrap(`${name}(${asMany(required(code))})`);

/**
 * Every function that the rules call. Any other function is an error when rules are compiled, not when an invoice is
 * validated.
 */
const functions: Record<string, Emit> = {
  true: () => boolean('true'),
  false: () => boolean('false'),
  not: ([code]) => boolean(`!(${asBoolean(required(code))})`),
  boolean: ([code]) => boolean(asBoolean(required(code))),
  exists: ([code]) => boolean(`${asMany(required(code))}.length > 0`),
  count: ofMany('count', one),
  sum: ofMany('sum', one),
  'distinct-values': ofMany('distinctValues', (js) => ({ js, type: 'many' })),
  round: ofOne('round'),
  abs: ofOne('abs'),
  'cast as xs:boolean': ([code]) => boolean(`castBoolean(${asOne(required(code))})`),
  'xs:decimal': ofOne('castDecimal'),
  'xs:integer': ofOne('castInteger'),
  'xs:date': ofOne('castDate'),
  string: (codes, scope) => text(asText(argument(codes, scope))),
  'string-length': (codes, scope) => one(`stringLength(${asText(argument(codes, scope))})`),
  'normalize-space': (codes, scope) => text(`normalizeSpace(${asText(argument(codes, scope))})`),
  'upper-case': ([code]) => text(`${asText(required(code))}.toUpperCase()`),
  concat: (codes) => text(`(${codes.map(asText).join(' + ')})`),
  contains: ofTextMethod('includes'),
  'starts-with': ofTextMethod('startsWith'),
  'ends-with': ofTextMethod('endsWith'),
  'substring-before': ofTexts('substringBefore', text),
  'substring-after': ofTexts('substringAfter', text),
  substring: ([subject, ...rest]) => text(`substring(${[asText(required(subject)), ...rest.map(asOne)].join(', ')})`),
  matches: ofTexts('matches', boolean),
  replace: ofTexts('replace', text),
  tokenize: ofTexts('tokenize', (js) => ({ js, type: 'many' })),
  'string-to-codepoints': ofTexts('codepoints', (js) => ({ js, type: 'many' })),
  'string-join': ([items, separator]) => text(`stringJoin(${asMany(required(items))}, ${asText(required(separator))})`),
  name: (codes, scope) => text(`nameOf(${asOne(argument(codes, scope))})`),
  'local-name': (codes, scope) => text(`localNameOf(${asOne(argument(codes, scope))})`),
};

export function emitCall(name: string, codes: readonly Code[], scope: Scope): Code {
  const write = functions[name];
  if (write === undefined) throw new Error(`the function ${name}() is not supported`);
  return write(codes, scope);
}

function required(code: Code | undefined): Code {
  if (code === undefined) throw new Error('an argument is missing');
  return code;
}
