import { useEffect, useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { consolePath } from '../session/addresses.ts';
import { session, signIn, signOut, storedKey } from '../session/session.ts';
import { SignIn } from '../session/sign-in.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Layout } from './layout.tsx';
import { Pages } from './pages.tsx';

export function App() {
  const [isStarting, setIsStarting] = useState(true);
  useEffect(() => {
    const key = storedKey();
    if (key === undefined) setIsStarting(false);
    else {
      signIn(key)
        .catch(() => signOut('refused'))
        .finally(() => setIsStarting(false));
    }
  }, []);
  if (isStarting) return <div class="starting" />;
  if (session.value === undefined) return <SignIn />;
  return (
    <Router base={consolePath}>
      <Layout>
        <Pages />
      </Layout>
      <Toasts />
    </Router>
  );
}
