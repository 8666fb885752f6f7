import { compareTexts } from '../../texts/templates.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Changes } from './compare-text.ts';

export interface VersionDifferences {
  readonly text: Changes;
  readonly fonts: Changes;
  readonly warnings: Changes;
  readonly mapping: Changes;
  readonly settings: Changes;
}

const maxShown = 200;
const groups = ['text', 'fonts', 'warnings', 'mapping', 'settings'] as const;

/** What differs between two versions besides pages and fields; groups without differences are left out. */
export function VersionChanges({ differences }: { readonly differences: VersionDifferences }) {
  return (
    <>
      {groups.map((name) => {
        const { added, removed } = differences[name];
        const lines = [
          ...removed.map((line) => ['removed', line] as const),
          ...added.map((line) => ['added', line] as const),
        ];
        if (lines.length === 0) return null;
        return (
          <div key={name}>
            <h3>{compareTexts[name]}</h3>
            <ul class="version-changes">
              {lines.slice(0, maxShown).map(([kind, line], index) => (
                <li key={`${kind} ${index}`}>
                  <Badge tone={kind === 'added' ? 'good' : 'bad'}>{compareTexts[kind]}</Badge> <span>{line}</span>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </>
  );
}
