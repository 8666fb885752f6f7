import { ApiError } from '@docmill/client';
import { useEffect, useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { accountName } from '../session/account-name.ts';
import { consolePath } from '../session/addresses.ts';
import { linkedKey } from '../session/linked-key.ts';
import { LinkedKeyDialog } from '../session/linked-key-dialog.tsx';
import { LinkedKeyPage } from '../session/linked-key-page.tsx';
import { askOtherTabs } from '../session/other-tabs.ts';
import { providers } from '../session/providers.ts';
import { session } from '../session/session.ts';
import { hasSignedOut, signIn, signInAsPerson, signOut, storedKey } from '../session/sign-in.ts';
import { SignInPage } from '../session/sign-in-page.tsx';
import { sessionTexts } from '../texts/session.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { showToast, Toasts } from '../ui/toasts.tsx';
import { Layout } from './layout.tsx';
import { Pages } from './pages.tsx';

export function App() {
  const [isStarting, setIsStarting] = useState(true);
  const [failure, setFailure] = useState<unknown>();
  const [key, setKey] = useState(storedKey);
  const start = async (apiKey: string): Promise<void> => {
    setFailure(undefined);
    try {
      await signIn(apiKey);
    } catch (error) {
      // Only the service can reject a key; network failures are retried.
      if (error instanceof ApiError && error.status === 401) signOut('refused');
      else setFailure(error);
    }
    setIsStarting(false);
  };
  const startAsPerson = async (otherwise: () => void): Promise<void> => {
    setFailure(undefined);
    try {
      if (!(await signInAsPerson())) return otherwise();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) signOut('ended');
      else setFailure(error);
    }
    setIsStarting(false);
  };
  useEffect(() => {
    if (key !== undefined) return void start(key);
    if (linkedKey.value !== undefined || hasSignedOut()) return setIsStarting(false);
    const takeOver = async (apiKey: string): Promise<void> => {
      // A link that was pasted meanwhile asks first.
      if (linkedKey.value !== undefined) return setIsStarting(false);
      setKey(apiKey);
      await start(apiKey);
      if (session.value !== undefined) showToast(sessionTexts.takenOver(accountName(session.value.key)));
    };
    const askTabs = (): void =>
      void askOtherTabs({ onKey: (apiKey) => void takeOver(apiKey), onNone: () => setIsStarting(false) });
    if (providers.length === 0) askTabs();
    else void startAsPerson(askTabs);
  }, []);
  if (isStarting) return <div class="starting" />;
  if (failure !== undefined && session.value === undefined) {
    return (
      <main class="sign-in">
        <div class="sign-in-question">
          <h1>{shellTexts.startTitle}</h1>
          <ErrorNote
            error={failure}
            onRetry={() => void (key === undefined ? startAsPerson(() => setIsStarting(false)) : start(key))}
          />
          <Button
            onClick={() => {
              signOut();
              setFailure(undefined);
            }}
          >
            {shellTexts.otherKey}
          </Button>
        </div>
      </main>
    );
  }
  const linked = linkedKey.value;
  if (session.value === undefined) return linked === undefined ? <SignInPage /> : <LinkedKeyPage apiKey={linked} />;
  return (
    <Router base={consolePath}>
      <Layout>
        <Pages />
      </Layout>
      <Toasts />
      {linked !== undefined && <LinkedKeyDialog apiKey={linked} current={session.value.key} />}
    </Router>
  );
}
