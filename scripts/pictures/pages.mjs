/** The pages that have a picture, in the order in which a new organization meets them. */
export const pages = [
  { name: 'home', path: () => '/' },
  { name: 'assets', path: () => '/assets' },
  { name: 'asset', path: ({ assets }) => `/assets/${assets[4].id}` },
  { name: 'new-asset', path: () => '/assets/new' },
  { name: 'import', path: () => '/import' },
  { name: 'locations', path: () => '/locations' },
  { name: 'location', path: ({ rooms }) => `/locations/${rooms[0].id}` },
  { name: 'audit', path: ({ rooms }) => `/locations/${rooms[0].id}/audit` },
  { name: 'readers', path: () => '/readers' },
  { name: 'new-reader', path: () => '/readers/new' },
  { name: 'reader', path: ({ readers }) => `/readers/${readers[2].id}` },
  { name: 'unknown-tags', path: () => '/unknown-tags' },
  { name: 'alerts', path: () => '/alerts?status=all' },
  { name: 'alert-rules', path: () => '/alerts/rules' },
  { name: 'new-alert-rule', path: () => '/alerts/rules/new' },
  { name: 'webhooks', path: () => '/alerts/webhooks' },
  { name: 'scan', path: () => '/scan' },
  { name: 'labels', path: () => '/labels' },
  { name: 'start', path: () => '/start' },
  { name: 'activity', path: () => '/activity' },
  { name: 'account', path: () => '/account' },
  { name: 'api-keys', path: () => '/account/api-keys' },
  { name: 'new-key', path: () => '/account/api-keys/new' },
  { name: 'members', path: () => '/account/members' },
  { name: 'api-docs', path: () => '/api/docs' },
];

/** How they are seen: at a desk, on a phone, on a wide screen; in daylight and in the dark. */
export const views = {
  desk: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  'desk-dark': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', isMobile: true, hasTouch: true },
  'phone-dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark', isMobile: true, hasTouch: true },
  wide: { viewport: { width: 2560, height: 1300 }, colorScheme: 'light' },
};
