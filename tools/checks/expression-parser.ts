import { readFileSync } from 'node:fs';
import peggy from 'peggy';

const grammar = 'src/worker/docx/language/expressions/grammar.peggy';

/** The source of the parser for tag expressions. It caches, so that its time is linear in the length of the text. */
export function writeExpressionParser(): string {
  return peggy.generate(readFileSync(grammar, 'utf8'), {
    allowedStartRules: ['Expression', 'Formatters'],
    cache: true,
    format: 'es',
    grammarSource: grammar,
    output: 'source',
  });
}
