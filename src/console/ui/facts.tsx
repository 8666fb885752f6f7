import type { ComponentChildren } from 'preact';

type Fact = readonly [name: string, value: ComponentChildren];

interface FactsProps {
  readonly facts: readonly Fact[];
  /** `grid`: values below their names, side by side where there is width; `lines`: a line for each. */
  readonly layout?: 'grid' | 'lines';
}

/** Pairs of names and values. Undefined values are left out. */
export function Facts({ facts, layout = 'grid' }: FactsProps) {
  const known = facts.filter(([, value]) => value !== undefined);
  if (known.length === 0) return null;
  return (
    <dl class={layout === 'grid' ? 'facts' : 'fact-lines'}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
