import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { parseActivitySearch } from './pages/activity/search.js';
import { parseAlertsSearch, parseNewRuleSearch } from './pages/alerts/search.js';
import { NotFoundPage } from './pages/not-found/not-found-page.js';
import { parseNewAssetSearch } from './pages/assets/new-asset-search.js';
import { parseAssetSearch } from './pages/assets/search.js';
import { parseHistorySearch } from './pages/assets/history-search.js';
import { CrashPage } from './pages/crash/crash-page.js';
import { readersSearch } from './pages/readers/search.js';
import { parseLabelsSearch } from './pages/labels/search.js';
import { parseImportSearch } from './pages/import/search.js';
import { parseLocationSearch, parseLocationsSearch } from './pages/locations/search.js';
import { parseAuditsSearch, parseReportSearch } from './pages/reports/search.js';
import { unknownTagsSearch } from './pages/unknown-tags/search.js';
import { SignedInArea } from './shell/signed-in-area.js';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: CrashPage });

/** The routes below it are for signed-in people, inside the shell. */
const app = createRoute({ getParentRoute: () => root, id: 'app', component: SignedInArea });

// For people who are not signed in.
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./pages/welcome/welcome-page.js'), 'WelcomePage'),
});
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./pages/join/join-page.js'), 'JoinPage'),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./pages/reset-password/forgot-password-page.js'), 'ForgotPasswordPage'),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./pages/reset-password/reset-password-page.js'), 'ResetPasswordPage'),
});
const stopEmail = createRoute({
  getParentRoute: () => root,
  path: '/stop-email',
  component: lazyRouteComponent(() => import('./pages/stop-email/stop-email-page.js'), 'StopEmailPage'),
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { to?: string } =>
    typeof search['to'] === 'string' && search['to'].startsWith('/') && !search['to'].startsWith('//')
      ? { to: search['to'] }
      : {},
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.js'), 'SignInPage'),
});

const signOn = createRoute({
  getParentRoute: () => root,
  path: '/sign-on',
  component: lazyRouteComponent(() => import('./pages/sign-on/sign-on-page.js'), 'SignOnPage'),
});

// In the order in which a new organization uses the pages.
const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home-page.js'), 'HomePage'),
});
const start = createRoute({
  getParentRoute: () => app,
  path: '/start',
  component: lazyRouteComponent(() => import('./pages/start/start-page.js'), 'StartPage'),
});
const assets = createRoute({
  getParentRoute: () => app,
  path: '/assets',
  validateSearch: parseAssetSearch,
  component: lazyRouteComponent(() => import('./pages/assets/assets-page.js'), 'AssetsPage'),
});
const newAsset = createRoute({
  getParentRoute: () => app,
  path: '/assets/new',
  validateSearch: parseNewAssetSearch,
  component: lazyRouteComponent(() => import('./pages/assets/new-asset-page.js'), 'NewAssetPage'),
});
const asset = createRoute({
  getParentRoute: () => app,
  path: '/assets/$assetId',
  validateSearch: parseHistorySearch,
  component: lazyRouteComponent(() => import('./pages/assets/asset-page.js'), 'AssetPage'),
});
const importing = createRoute({
  getParentRoute: () => app,
  path: '/import',
  validateSearch: parseImportSearch,
  component: lazyRouteComponent(() => import('./pages/import/import-page.js'), 'ImportPage'),
});
const importRun = createRoute({
  getParentRoute: () => app,
  path: '/import/$importId',
  component: lazyRouteComponent(() => import('./pages/import/import-run-page.js'), 'ImportRunPage'),
});
const labels = createRoute({
  getParentRoute: () => app,
  path: '/labels',
  validateSearch: parseLabelsSearch,
  component: lazyRouteComponent(() => import('./pages/labels/labels-page.js'), 'LabelsPage'),
});
const locations = createRoute({
  getParentRoute: () => app,
  path: '/locations',
  validateSearch: parseLocationsSearch,
  component: lazyRouteComponent(() => import('./pages/locations/locations-page.js'), 'LocationsPage'),
});
const location = createRoute({
  getParentRoute: () => app,
  path: '/locations/$locationId',
  validateSearch: parseLocationSearch,
  component: lazyRouteComponent(() => import('./pages/locations/location-page.js'), 'LocationPage'),
});
const audit = createRoute({
  getParentRoute: () => app,
  path: '/locations/$locationId/audit',
  component: lazyRouteComponent(() => import('./pages/locations/audit/audit-page.js'), 'AuditPage'),
});
const reports = createRoute({
  getParentRoute: () => app,
  path: '/reports',
  validateSearch: parseReportSearch,
  component: lazyRouteComponent(() => import('./pages/reports/reports-page.js'), 'ReportsPage'),
});
const audits = createRoute({
  getParentRoute: () => app,
  path: '/audits',
  validateSearch: parseAuditsSearch,
  component: lazyRouteComponent(() => import('./pages/audits/audits-page.js'), 'AuditsPage'),
});
const savedAudit = createRoute({
  getParentRoute: () => app,
  path: '/audits/$auditId',
  component: lazyRouteComponent(() => import('./pages/audits/audit-page.js'), 'AuditPage'),
});
const readers = createRoute({
  getParentRoute: () => app,
  path: '/readers',
  validateSearch: readersSearch,
  component: lazyRouteComponent(() => import('./pages/readers/readers-page.js'), 'ReadersPage'),
});
const newReader = createRoute({
  getParentRoute: () => app,
  path: '/readers/new',
  component: lazyRouteComponent(() => import('./pages/readers/new-reader-page.js'), 'NewReaderPage'),
});
const reader = createRoute({
  getParentRoute: () => app,
  path: '/readers/$readerId',
  component: lazyRouteComponent(() => import('./pages/readers/reader-page.js'), 'ReaderPage'),
});
const unknownTags = createRoute({
  getParentRoute: () => app,
  path: '/unknown-tags',
  validateSearch: unknownTagsSearch,
  component: lazyRouteComponent(() => import('./pages/unknown-tags/unknown-tags-page.js'), 'UnknownTagsPage'),
});
const alerts = createRoute({
  getParentRoute: () => app,
  path: '/alerts',
  validateSearch: parseAlertsSearch,
  component: lazyRouteComponent(() => import('./pages/alerts/alerts-page.js'), 'AlertsPage'),
});
const alert = createRoute({
  getParentRoute: () => app,
  path: '/alerts/$alertId',
  component: lazyRouteComponent(() => import('./pages/alerts/alert-page.js'), 'AlertPage'),
});
const alertRules = createRoute({
  getParentRoute: () => app,
  path: '/alerts/rules',
  component: lazyRouteComponent(() => import('./pages/alerts/rules-page.js'), 'RulesPage'),
});
const newAlertRule = createRoute({
  getParentRoute: () => app,
  path: '/alerts/rules/new',
  validateSearch: parseNewRuleSearch,
  component: lazyRouteComponent(() => import('./pages/alerts/new-rule-page.js'), 'NewRulePage'),
});
const alertRule = createRoute({
  getParentRoute: () => app,
  path: '/alerts/rules/$ruleId',
  component: lazyRouteComponent(() => import('./pages/alerts/rule-page.js'), 'RulePage'),
});
const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/alerts/webhooks',
  component: lazyRouteComponent(() => import('./pages/alerts/webhooks-page.js'), 'WebhooksPage'),
});
const newWebhook = createRoute({
  getParentRoute: () => app,
  path: '/alerts/webhooks/new',
  component: lazyRouteComponent(() => import('./pages/alerts/new-webhook-page.js'), 'NewWebhookPage'),
});
const webhook = createRoute({
  getParentRoute: () => app,
  path: '/alerts/webhooks/$endpointId',
  component: lazyRouteComponent(() => import('./pages/alerts/endpoint-page.js'), 'EndpointPage'),
});
const scan = createRoute({
  getParentRoute: () => app,
  path: '/scan',
  component: lazyRouteComponent(() => import('./pages/scan/scan-page.js'), 'ScanPage'),
});
const activity = createRoute({
  getParentRoute: () => app,
  path: '/activity',
  validateSearch: parseActivitySearch,
  component: lazyRouteComponent(() => import('./pages/activity/activity-page.js'), 'ActivityPage'),
});
const deleted = createRoute({
  getParentRoute: () => app,
  path: '/deleted',
  component: lazyRouteComponent(() => import('./pages/deleted/deleted-page.js'), 'DeletedPage'),
});
const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/account-page.js'), 'AccountPage'),
});
const confirmAddress = createRoute({
  getParentRoute: () => app,
  path: '/confirm',
  component: lazyRouteComponent(() => import('./pages/account/confirm-page.js'), 'ConfirmPage'),
});
const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.js'), 'SettingsPage'),
});
const newApiKey = createRoute({
  getParentRoute: () => app,
  path: '/settings/api-keys/new',
  component: lazyRouteComponent(() => import('./pages/settings/new-api-key-page.js'), 'NewApiKeyPage'),
});

// The short addresses on labels.
const labeledAsset = createRoute({
  getParentRoute: () => root,
  path: '/a/$assetId',
  beforeLoad: ({ params }) => redirect({ to: '/assets/$assetId', params, replace: true, throw: true }),
});
const labeledLocation = createRoute({
  getParentRoute: () => root,
  path: '/l/$locationId',
  beforeLoad: ({ params }) => redirect({ to: '/locations/$locationId', params, replace: true, throw: true }),
});

/** Any other address; the page for it thus has the navigation. */
const unknown = createRoute({ getParentRoute: () => app, path: '$', component: NotFoundPage });

const tree = root.addChildren([
  welcome,
  join,
  signIn,
  signOn,
  forgotPassword,
  resetPassword,
  stopEmail,
  labeledAsset,
  labeledLocation,
  app.addChildren([
    home,
    start,
    assets,
    newAsset,
    asset,
    importing,
    importRun,
    labels,
    locations,
    location,
    audit,
    reports,
    audits,
    savedAudit,
    readers,
    newReader,
    reader,
    unknownTags,
    alerts,
    alert,
    alertRules,
    newAlertRule,
    alertRule,
    webhooks,
    newWebhook,
    webhook,
    scan,
    activity,
    deleted,
    account,
    confirmAddress,
    settings,
    newApiKey,
    unknown,
  ]),
]);

/** Returns the pages of the app, each loaded on the first visit. */
export function createAppRouter() {
  return createRouter({
    routeTree: tree,
    defaultErrorComponent: CrashPage,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingMinMs: 0,
  });
}

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- extends an interface of the library
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
