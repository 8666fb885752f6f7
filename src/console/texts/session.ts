import { formatCount } from '../ui/format.ts';

export const sessionTexts = {
  title: 'Sign in',
  lead: 'Paste an API key. It is kept only while tabs of this console are open.',
  key: 'API key',
  hint: 'Keys begin with dts_. The operator of this service creates them.',
  show: 'Show key',
  submit: 'Sign in',
  working: 'Signing in…',
  takenOver: (account: string) => `Signed in to ${account} with the key of another tab.`,
  refused: 'The service does not accept this key any more: it was revoked or has expired. Sign in with another one.',
  wrong: 'The service does not know this key. Check that you pasted all of it.',
  malformed: 'A key has no spaces and only visible ASCII characters.',
  unreachable: 'The service does not answer. Check your connection, then try again.',
  guide: 'About keys',
  kept: (count: number) =>
    `Data for ${formatCount(count, 'playground entry is', 'playground entries are')} kept on this computer, of all accounts.`,
  forget: 'Forget it',
  linkTitle: (account: string) => `Sign in to ${account}?`,
  linkText: 'A link brought you here with a key of this account. What you upload and make belongs to it.',
  linkAction: 'Sign in',
  linkOther: 'Use another key',
  linkOf: 'The link has a key of:',
  account: 'Account',
  switchTitle: 'Change the account of this tab?',
  switchText: (account: string) =>
    `You are signed in to ${account}. A link wants to sign you in with another key. If you did not expect that, stay where you are.`,
  stay: 'Stay signed in',
  switchAction: 'Change',
};
