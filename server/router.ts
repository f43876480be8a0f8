import { activityRouter } from './activity/router.js';
import { alertRulesRouter } from './alert-rules/router.js';
import { alertsRouter } from './alerts/router.js';
import { apiKeysRouter } from './api-keys/router.js';
import { assetKindsRouter } from './asset-kinds/router.js';
import { assetsRouter } from './assets/router.js';
import { emailDomainsRouter } from './email-domains/router.js';
import { floorPlansRouter } from './floor-plans/router.js';
import { auditsRouter } from './audits/router.js';
import { bulkEditsRouter } from './bulk-edits/router.js';
import { homeRouter } from './home/router.js';
import { importsRouter } from './imports/router.js';
import { locationsRouter } from './locations/router.js';
import { membersRouter } from './members/router.js';
import { organizationsRouter } from './organizations/router.js';
import { readersRouter } from './readers/router.js';
import { reportsRouter } from './reports/router.js';
import { savedViewsRouter } from './saved-views/router.js';
import { scansRouter } from './scans/router.js';
import { searchRouter } from './search/router.js';
import { sessionRouter } from './session/router.js';
import { tagsRouter } from './tags/router.js';
import { trashRouter } from './trash/router.js';
import { calibrate } from './scans/calibrate.js';
import { mergeRouters, router } from './trpc.js';
import { visitsRouter } from './visits/router.js';
import { webhooksRouter } from './webhooks/router.js';

/** All routers of the server, one for each resource. */
export const appRouter = router({
  session: sessionRouter,
  organizations: organizationsRouter,
  members: membersRouter,
  emailDomains: emailDomainsRouter,
  apiKeys: apiKeysRouter,
  assets: assetsRouter,
  assetKinds: assetKindsRouter,
  locations: mergeRouters(locationsRouter, router({ calibrate })),
  floorPlans: floorPlansRouter,
  tags: tagsRouter,
  reports: reportsRouter,
  readers: readersRouter,
  scans: scansRouter,
  visits: visitsRouter,
  audits: auditsRouter,
  home: homeRouter,
  search: searchRouter,
  imports: importsRouter,
  alerts: alertsRouter,
  alertRules: alertRulesRouter,
  webhooks: webhooksRouter,
  activity: activityRouter,
  savedViews: savedViewsRouter,
  bulkEdits: bulkEditsRouter,
  trash: trashRouter,
});

export type AppRouter = typeof appRouter;
