import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './styles.css';
import { loadLanguage } from './i18n/language.js';

// Modules of the app keep texts in constants, so the language comes first.
await loadLanguage();
const { renderApp } = await import('./app.js');
renderApp();
