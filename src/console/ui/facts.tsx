import type { ComponentChildren } from 'preact';
import './facts.css';

type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values. One whose value is undefined is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
