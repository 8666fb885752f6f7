import type { components } from '@docmill/client';
import { keyTexts } from '../texts/keys.ts';
import { Badge } from '../ui/badge.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatAge, formatDate, formatTime } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';
import type { Tone } from '../ui/tone.ts';
import { expiresSoon } from './key-expiry.ts';

type Key = components['schemas']['AccountKey'];

interface KeyCardProps {
  readonly apiKey: Key;
  /** Whether this tab is signed in with this key. */
  readonly isCurrent: boolean;
  readonly nowMs: number;
}

const tones: Readonly<Record<Key['status'], Tone>> = { active: 'good', expired: 'neutral', revoked: 'neutral' };

export function KeyCard({ apiKey, isCurrent, nowMs }: KeyCardProps) {
  const { name, person, prefix, kind, status, lastUsedAt, createdAt, previousSecretUntil, budget } = apiKey;
  const isSoon = expiresSoon(apiKey, nowMs);
  return (
    <li class="card key-card" data-current={isCurrent}>
      <div class="key-head">
        <div>
          <h2>{name ?? keyTexts.unnamed}</h2>
          {person === undefined ? <code class="muted">{prefix}…</code> : <span class="muted">{person.email}</span>}
        </div>
        <span class="badges">
          {isCurrent && <Badge tone="info">{keyTexts.current}</Badge>}
          {person !== undefined && <Badge>{keyTexts.person}</Badge>}
          {kind === 'test' && <Badge tone="warn">{keyTexts.kinds.test}</Badge>}
          <Badge tone={isSoon ? 'warn' : tones[status]}>
            {isSoon ? keyTexts.expiresSoon(formatAge(apiKey.expiresAt ?? '', nowMs)) : keyTexts.statuses[status]}
          </Badge>
        </span>
      </div>
      <Scopes apiKey={apiKey} />
      <Facts
        facts={[
          [keyTexts.signsInWith, person?.provider],
          [keyTexts.roles, person === undefined ? undefined : person.roles.join(', ') || keyTexts.noRoles],
          [keyTexts.lastUsed, lastUsedAt === undefined ? keyTexts.never : <Time value={lastUsedAt} isExact />],
          [keyTexts.created, formatDate(createdAt)],
          endOf(apiKey),
          [
            keyTexts.budget,
            budget === undefined ? undefined : keyTexts.budgetValue(budget.remaining, budget.docsPerMonth),
          ],
          [keyTexts.rotated, previousSecretUntil === undefined ? undefined : formatTime(previousSecretUntil)],
        ]}
      />
    </li>
  );
}

function Scopes({ apiKey: { scopes, hasAllScopes } }: { readonly apiKey: Key }) {
  if (hasAllScopes) return <p class="muted small">{keyTexts.allScopes}</p>;
  return (
    <ul class="scopes">
      {scopes.map((scope) => (
        <li key={scope}>
          <Badge>{keyTexts.scopes[scope]}</Badge>
        </li>
      ))}
    </ul>
  );
}

function endOf({ status, expiresAt, revokedAt }: Key): readonly [string, string] {
  if (status === 'revoked' && revokedAt !== undefined) return [keyTexts.revoked, formatTime(revokedAt)];
  if (expiresAt === undefined) return [keyTexts.expires, keyTexts.noExpiry];
  return [status === 'expired' ? keyTexts.expired : keyTexts.expires, formatTime(expiresAt)];
}
