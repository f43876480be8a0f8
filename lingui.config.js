/** English is the language of the code. `npm run texts` brings the catalogs up to date; `web/locales/de.po` is translated by hand. */
export default {
  sourceLocale: 'en',
  locales: ['en', 'de'],
  catalogs: [{ path: '<rootDir>/web/locales/{locale}', include: ['<rootDir>/web'] }],
  // Named, not imported: the build reads this file too, and has no parser of catalogs.
  format: 'po',
  formatOptions: { lineNumbers: false, printPlaceholdersInComments: false },
  orderBy: 'message',
  runtimeConfigModule: { i18n: ['#i18n', 'i18n'] },
};
