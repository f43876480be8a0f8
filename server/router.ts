import { activityRouter } from './people/activity/procedures.js';
import { alertRulesRouter } from './notifying/alert-rules/router.js';
import { alertsRouter } from './notifying/alerts/alerts.js';
import { apiKeysRouter } from './people/api-keys/procedures.js';
import { assetKindsRouter } from './things/asset-kinds/router.js';
import { assetProblemsRouter } from './things/asset-problems/router.js';
import { assetsRouter } from './things/assets/router.js';
import { emailDomainsRouter } from './people/email-domains/procedures.js';
import { floorPlansRouter } from './tracking/floor-plans/router.js';
import { containersRouter } from './tracking/containers/router.js';
import { auditsRouter } from './tracking/audits/router.js';
import { bulkEditsRouter } from './app/bulk-edits/router.js';
import { homeRouter } from './app/home/router.js';
import { importsRouter } from './app/imports/router.js';
import { locationsRouter } from './things/locations/router.js';
import { membersRouter } from './people/members/router.js';
import { organizationsRouter } from './people/organizations/router.js';
import { pushRouter } from './notifying/push/procedures.js';
import { readersRouter } from './tracking/readers/router.js';
import { reportsRouter } from './tracking/reports/router.js';
import { savedViewsRouter } from './app/saved-views/router.js';
import { scheduledEmailsRouter } from './app/scheduled-emails/router.js';
import { sampleDataRouter } from './app/sample-data/router.js';
import { scansRouter } from './tracking/scans/router.js';
import { searchRouter } from './app/search/router.js';
import { sessionRouter } from './people/session/router.js';
import { tagsRouter } from './things/tags/router.js';
import { trashRouter } from './app/trash/router.js';
import { undoRouter } from './app/undo/router.js';
import { calibrate } from './tracking/scans/calibrate.js';
import { mergeRouters, router } from './trpc.js';
import { visitsRouter } from './tracking/visits/router.js';
import { webhooksRouter } from './notifying/webhooks/router.js';

/** All routers of the server, one for each resource. */
export const appRouter = router({
  session: sessionRouter,
  organizations: organizationsRouter,
  members: membersRouter,
  emailDomains: emailDomainsRouter,
  apiKeys: apiKeysRouter,
  assets: assetsRouter,
  assetKinds: assetKindsRouter,
  assetProblems: assetProblemsRouter,
  locations: mergeRouters(locationsRouter, router({ calibrate })),
  floorPlans: floorPlansRouter,
  tags: tagsRouter,
  reports: reportsRouter,
  readers: readersRouter,
  scans: scansRouter,
  visits: visitsRouter,
  audits: auditsRouter,
  containers: containersRouter,
  home: homeRouter,
  search: searchRouter,
  imports: importsRouter,
  alerts: alertsRouter,
  alertRules: alertRulesRouter,
  webhooks: webhooksRouter,
  push: pushRouter,
  activity: activityRouter,
  sampleData: sampleDataRouter,
  savedViews: savedViewsRouter,
  scheduledEmails: scheduledEmailsRouter,
  bulkEdits: bulkEditsRouter,
  trash: trashRouter,
  undo: undoRouter,
});

export type AppRouter = typeof appRouter;
