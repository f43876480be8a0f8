import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './styles.css';
import './touch.css';
import { focusFirstError } from './browser/focus-first-error.js';
import { ignoreConversionKeys } from './browser/input-method.js';
import { endureTranslation } from './browser/translated-page.js';
import { loadLanguage } from './i18n/language.js';
import { repairedAddress } from './session/mailed-link.js';

/** Pages that most visits begin with. Their files are requested with the app's, not after it. */
const firstPages: Readonly<Record<string, () => Promise<unknown>>> = {
  '/': () => import('./pages/home/home-page.js'),
  '/assets': () => import('./pages/assets/assets-page.js'),
  '/scan': () => import('./pages/scan/scan-page.js'),
};

// Runs before the router reads the address, for which a link with an encoded `#` is another path.
const address = `${location.pathname}${location.search}${location.hash}`;
const repaired = repairedAddress(address);
if (repaired !== undefined && repaired !== address) history.replaceState(history.state, '', repaired);

ignoreConversionKeys();
endureTranslation();
focusFirstError();

// Modules of the app keep texts in constants, so the language comes first.
await loadLanguage();
firstPages[location.pathname]?.().catch(() => {});
const { renderApp } = await import('./app.js');
renderApp();
