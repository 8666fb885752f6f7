export const sessionTexts = {
  title: 'Sign in',
  lead: 'Paste an API key. It stays in this tab and is forgotten when you close it.',
  key: 'API key',
  hint: 'Keys begin with dts_. The operator of this service creates them.',
  show: 'Show key',
  submit: 'Sign in',
  working: 'Signing in…',
  refused: 'The service does not accept this key any more: it was revoked or has expired. Sign in with another one.',
  wrong: 'The service does not know this key. Check that you pasted all of it.',
  malformed: 'A key has no spaces and only visible ASCII characters.',
  unreachable: 'The service does not answer. Check your connection, then try again.',
  guide: 'About keys',
};
