/** The nodes of angular-expressions' AST that a formula may have; anything else is refused. */
export type AstNode =
  | { readonly type: 'Literal'; readonly value: unknown }
  | { readonly type: 'Identifier'; readonly name: string }
  | { readonly type: 'UnaryExpression'; readonly operator: '+' | '-' | '!'; readonly argument: AstNode }
  | { readonly type: 'BinaryExpression'; readonly operator: string; readonly left: AstNode; readonly right: AstNode }
  | { readonly type: 'LogicalExpression'; readonly operator: string; readonly left: AstNode; readonly right: AstNode }
  | {
      readonly type: 'ConditionalExpression';
      readonly test: AstNode;
      /** The value when the test is true: the library names the two the other way round. */
      readonly alternate: AstNode;
      readonly consequent: AstNode;
    }
  | {
      readonly type: 'MemberExpression';
      readonly object: AstNode;
      readonly property: AstNode;
      readonly computed: boolean;
    }
  | { readonly type: 'ArrayExpression'; readonly elements: readonly AstNode[] }
  | {
      readonly type: 'FilterExpression';
      readonly callee: { readonly name: string };
      readonly arguments: readonly AstNode[];
    };
