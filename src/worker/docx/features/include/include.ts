import type { Feature } from '../../core/feature.ts';
import type { Inclusion } from '../../core/inclusion.ts';
import type { SectionNode } from '../../core/nodes.ts';
import { hiddenNumber } from '../../language/hidden-number.ts';
import type { Expression, TagParser } from '../../language/scope.ts';
import { replaceIncludeTags } from './replace-tags.ts';

/**
 * Other templates of the account: `{include "terms"}` and `{letterhead "company"}`. `replaceIncludeTags` has already put their
 * content into the package, each within a section with a hidden number; here these sections get their data.
 */
export const include: Feature = {
  name: 'include',
  compose: replaceIncludeTags,
  openPart: ({ template }) => ({
    readNodes: ({ parser }) => ({ readSection: (tag) => readSection(tag, template.inclusions, parser) }),
  }),
};

type ReadSection = Pick<SectionNode, 'expression' | 'tag' | 'included'>;

function readSection(tag: string, inclusions: readonly Inclusion[], parser: TagParser): ReadSection | undefined {
  const number = hiddenNumber(tag);
  const inclusion = number === undefined ? undefined : inclusions[number];
  if (inclusion === undefined) return undefined;
  const { template, scope, isScopeOptional } = inclusion;
  const included = { template, hasOwnScope: scope !== undefined };
  if (scope === undefined) return { expression: always, tag: `include "${template}"`, included };
  const expression = parser(scope);
  return { expression: isScopeOptional ? orAround(expression) : expression, tag: scope, included };
}

const always: Expression = { evaluate: () => true, locate: ({ path }) => path, uses: () => [] };

/** The value of the expression or, without one, the data of the surrounding scope. */
function orAround(expression: Expression): Expression {
  return {
    ...expression,
    evaluate: (scope) => expression.evaluate(scope) ?? scope.value,
    locate: (scope) => (expression.evaluate(scope) == null ? scope.path : expression.locate(scope)),
  };
}
