import { sessionTexts } from '../texts/session.ts';
import { Facts } from '../ui/facts.tsx';
import { accountName } from './account-name.ts';
import type { Session } from './session.ts';

/** Describes a key so that the user recognises it. */
export function KeyFacts({ apiKey }: { readonly apiKey: Session['key'] }) {
  const { name, prefix } = apiKey;
  return (
    <Facts
      layout="lines"
      facts={[
        [sessionTexts.account, accountName(apiKey)],
        [sessionTexts.key, name === undefined ? `${prefix}…` : `${name} (${prefix}…)`],
      ]}
    />
  );
}
