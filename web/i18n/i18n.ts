import { setupI18n } from '@lingui/core';

/**
 * The app's texts in the current language. English is in the code, and needs no catalog; another language is
 * activated before any other module of the app runs, so that a module may keep its texts in constants.
 */
export const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
