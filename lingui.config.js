import { formatter } from '@lingui/format-po';

/** English is the language of the code. `npm run texts` brings the catalogs up to date; `web/locales/de.po` is translated by hand. */
export default {
  sourceLocale: 'en',
  locales: ['en', 'de'],
  catalogs: [{ path: '<rootDir>/web/locales/{locale}', include: ['<rootDir>/web'] }],
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: 'message',
};
