import { ApiError } from '@docmill/client';
import { Activity, Building2, LogOut, OctagonAlert, ScrollText } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { Route, Router, Switch } from 'wouter-preact';
import { consolePath } from '../session/addresses.ts';
import { Frame, type NavigationEntry } from '../shell/frame.tsx';
import { MissingPage } from '../shell/missing-page.tsx';
import { isBelow } from '../shell/navigation.ts';
import { operatorTexts } from '../texts/operator.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { AccountListPage } from './accounts/account-list-page.tsx';
import { AccountPage } from './accounts/account-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { FailuresPage } from './failures-page.tsx';
import { NowPage } from './now/now-page.tsx';
import './operator.css';
import { isSignedIn, signIn, signOut, storedKey } from './operator-session.ts';
import { OperatorSignIn } from './operator-sign-in.tsx';

const entries: readonly NavigationEntry[] = [
  { path: '/', label: operatorTexts.now, icon: Activity },
  { path: '/accounts', label: operatorTexts.accounts, icon: Building2 },
  { path: '/failures', label: operatorTexts.failures, icon: OctagonAlert },
  { path: '/audit', label: operatorTexts.audit, icon: ScrollText },
];

const isCurrent = (path: string, entry: NavigationEntry): boolean =>
  entry.path === '/' ? path === '/' : isBelow(path, entry.path);

/** The console of operators, which works with the admin API and an operator key. */
export function OperatorApp() {
  const [key] = useState(storedKey);
  const [isStarting, setIsStarting] = useState(key !== undefined);
  const [failure, setFailure] = useState<unknown>();
  const start = async (operatorKey: string): Promise<void> => {
    setFailure(undefined);
    try {
      await signIn(operatorKey);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) signOut('refused');
      else setFailure(error);
    }
    setIsStarting(false);
  };
  useEffect(() => {
    if (key !== undefined) void start(key);
  }, []);
  if (isStarting) return <div class="starting" />;
  if (failure !== undefined && !isSignedIn() && key !== undefined) {
    return (
      <main class="sign-in">
        <div class="sign-in-question">
          <h1>{shellTexts.startTitle}</h1>
          <ErrorNote error={failure} onRetry={() => void start(key)} />
          <Button onClick={() => signOut()}>{shellTexts.otherKey}</Button>
        </div>
      </main>
    );
  }
  if (!isSignedIn()) return <OperatorSignIn />;
  return (
    <Router base={`${consolePath}/operator`}>
      <Frame
        home="/"
        entries={entries}
        isCurrent={isCurrent}
        tools={<span class="operator-mark">{operatorTexts.mark}</span>}
        signOut={<IconButton label={shellTexts.signOut} icon={<LogOut />} onClick={() => signOut()} />}
      >
        <Switch>
          <Route path="/" component={NowPage} />
          <Route path="/accounts" component={AccountListPage} />
          <Route path="/accounts/:id">{({ id }) => <AccountPage key={id} id={id} />}</Route>
          <Route path="/failures" component={FailuresPage} />
          <Route path="/audit" component={AuditPage} />
          <Route>
            <MissingPage />
          </Route>
        </Switch>
      </Frame>
      <Toasts />
    </Router>
  );
}
