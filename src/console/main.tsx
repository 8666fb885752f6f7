import '@fontsource-variable/inter/index.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/ui.css';
import './styles/page.css';
import './styles/shell.css';
import { render } from 'preact';
import { consolePath } from './session/addresses.ts';
import { watchLinkedKeys } from './session/linked-key.ts';
import { shareSession } from './session/other-tabs.ts';
import { App } from './shell/app.tsx';
import { isBelow } from './shell/navigation.ts';
import { applyTheme } from './shell/theme.ts';

applyTheme();
// Makes the browser reload the icon from the address of the page that is now shown.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) link.setAttribute('href', link.href);
const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element #app.');
if (isBelow(location.pathname, `${consolePath}/operator`)) {
  void import('./operator/operator-app.tsx').then(({ OperatorApp }) => render(<OperatorApp />, root));
} else {
  watchLinkedKeys();
  shareSession();
  render(<App />, root);
}
