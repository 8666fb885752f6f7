import type { components } from '@docmill/client';
import { sessionTexts } from '../texts/session.ts';
import { Facts } from '../ui/facts.tsx';

/** Whose key it is, so that a person recognises it. */
export function KeyFacts({
  apiKey: { account, name, prefix },
}: {
  readonly apiKey: components['schemas']['AccountKey'];
}) {
  return (
    <Facts
      layout="lines"
      facts={[
        [sessionTexts.account, account.name],
        [sessionTexts.key, name === undefined ? `${prefix}…` : `${name} (${prefix}…)`],
      ]}
    />
  );
}
