import { useState } from 'preact/hooks';
import { sessionTexts } from '../texts/session.ts';
import { consolePath, serviceUrl } from './addresses.ts';
import { providers } from './providers.ts';
import { forgetSignedOut } from './sign-in.ts';

const parameter = 'sign-in-problem';

/** A link for each provider. Links, because the page may send no form. */
export function ProviderButtons() {
  const [problem] = useState(takeProblem);
  if (providers.length === 0) return null;
  const to = location.pathname.startsWith(consolePath) ? location.pathname + location.search : `${consolePath}/`;
  return (
    <div class="providers">
      {problem !== undefined && (
        <p class="note warn" role="alert">
          {problem}
        </p>
      )}
      {providers.map(({ id, name }) => (
        <a
          key={id}
          class="button primary"
          href={`${serviceUrl}/console/sign-in/${id}/start?to=${encodeURIComponent(to)}`}
          onClick={forgetSignedOut}
        >
          {sessionTexts.signInWith(name)}
        </a>
      ))}
      <p class="muted small">{sessionTexts.orKey}</p>
    </div>
  );
}

/** Why the last sign-in failed. Removes it from the address, so that it is not shown again. */
function takeProblem(): string | undefined {
  const address = new URL(location.href);
  const problem = address.searchParams.get(parameter);
  if (problem === null) return undefined;
  address.searchParams.delete(parameter);
  history.replaceState(history.state, '', address.pathname + address.search);
  const texts: Readonly<Record<string, string>> = sessionTexts.problems;
  return texts[problem] ?? sessionTexts.problems.provider;
}
