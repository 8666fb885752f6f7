/** The tree of an expression, as grammar.peggy builds it. */
export type ExpressionNode =
  | { readonly type: 'literal'; readonly value: string | number | boolean | null }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'unary'; readonly operator: '+' | '-' | '!'; readonly argument: ExpressionNode }
  | {
      readonly type: 'binary' | 'logical';
      readonly operator: string;
      readonly left: ExpressionNode;
      readonly right: ExpressionNode;
    }
  | {
      readonly type: 'choice';
      readonly test: ExpressionNode;
      readonly whenTrue: ExpressionNode;
      readonly whenFalse: ExpressionNode;
    }
  | { readonly type: 'member'; readonly object: ExpressionNode; readonly key: ExpressionNode }
  | { readonly type: 'list'; readonly items: readonly ExpressionNode[] }
  | { readonly type: 'pipe'; readonly input: ExpressionNode; readonly formatters: readonly FormatterNode[] };

export interface FormatterNode {
  readonly name: string;
  readonly args: readonly ExpressionNode[];
}

export function parse(text: string): ExpressionNode;
export function parse(text: string, options: { readonly startRule: 'Formatters' }): FormatterNode[];

declare class ParseError extends Error {
  /** The offset of the first character that no rule accepts. */
  readonly location: { readonly start: { readonly offset: number } };
}

export { ParseError as SyntaxError };
