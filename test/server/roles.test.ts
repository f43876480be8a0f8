import { expect, it } from 'vitest';
import type { Actor } from '../../server/people/actor.js';
import { type Role, roleIncludes, roles } from '../../server/people/auth/scopes.js';
import { appRouter } from '../../server/router.js';
import type { Services } from '../../server/services.js';
import { createCaller, nobody, refusalOf } from '../support/caller.js';

/**
 * Who may call which procedures, by router. The procedures of `scope` are the operations of the public API, whose
 * credentials and scopes `support/trials.ts` tests; the others accept no API key. A new procedure needs an entry here.
 */
const procedures: Record<'everybody' | 'scope' | Role, Record<string, string>> = {
  everybody: {
    scheduledEmails: 'stop',
    session:
      'status signUp signIn invitation acceptInvitation requestPasswordReset resetPassword startSignOn finishSignOn ' +
      'confirmSignOn refresh signOut',
  },
  scope: {
    assets: 'list get create update delete rename history',
    locations: 'list get ancestors children descendants create update delete rename',
    organizations: 'me',
    reports: 'assetLocations',
    tags: 'addToAsset removeFromAsset addToLocation removeFromLocation',
  },
  viewer: {
    activity: 'list',
    alerts: 'list get rules openCount',
    apiKeys: 'create',
    assetKinds: 'list',
    assets: 'exportPage table detailKeys detailValues many detail visits evidence telemetry telemetryHours photos',
    audits: 'list get items compare',
    containers: 'contents summary at past',
    floorPlans: 'get state list findAsset',
    home: 'summary trends moves',
    locations: 'freeMark search level path exportPage contents departures readers expected accuracy signatures',
    push: 'list subscribe unsubscribe',
    readers: 'overview',
    reports: 'dwell flow use unseen missing',
    savedViews: 'list create delete restore',
    scans: 'resolve live unknownTags unknownValues',
    scheduledEmails: 'list create setPaused delete sendNow',
    search: 'everything',
    session:
      'me switchOrganization updateProfile preferences updatePreferences noteDevice changePassword ' +
      'requestAddressConfirmation confirmAddress earlierMemberships chooseMemberships connectSignOn disconnectSignOn signInMeans',
    visits: 'counts assets moves',
  },
  operator: {
    alerts: 'acknowledge',
    assetProblems: 'report mark',
    audits: 'save',
    containers: 'putIn takeOut undoPutIn submit compare',
    scans: 'submit locationTags',
  },
  manager: {
    activity: 'actors',
    alertRules: 'list get create update setEnabled delete restore preview options',
    assetKinds: 'create update delete setOfAsset',
    assets: 'createInApp createMany addPhoto removePhoto deleteMany setBelongsTo',
    bulkEdits: 'preview edit',
    containers: 'suggestions',
    floorPlans: 'set remove setShapes',
    imports: 'create addRows check applyFile cancel get list problems changes',
    locations: 'setFreeMark resetSignatures calibrate',
    readers: 'sendTestRead',
    scans: 'dismissUnknown',
    scheduledEmails: 'setRecipients',
    trash: 'list restore',
    undo: 'batch changes',
  },
  admin: {
    apiKeys: 'list revoke listOfMember listFormerCreators revokeOfMember',
    emailDomains: 'list add setRole verify remove',
    members: 'list setRole remove invite invitations revokeInvitation',
    organizations: 'rename firstSteps endFirstSteps',
    readers:
      'create list update delete restore updateMany deleteMany rotateSecret brokerAddress get notes ' +
      'proposeMapping tryMapping',
    sampleData: 'add remove',
    scans: 'rejectedMessages',
    webhooks: 'list create update delete restore rotateSecret sendTest deliveries delivery resend',
  },
};

const pathsOf = (access: keyof typeof procedures) =>
  Object.entries(procedures[access]).flatMap(([router, names]) => names.split(' ').map((name) => `${router}.${name}`));

/**
 * Calls a procedure without input and without a service: a caller without permission is rejected before either is
 * needed.
 */
function call(path: string, actor: Actor) {
  const [router = '', name = ''] = path.split('.');
  const caller = createCaller({} as Services, actor) as unknown as Record<
    string,
    Record<string, () => Promise<unknown>>
  >;
  return refusalOf(Promise.resolve(caller[router]?.[name]?.()));
}

const key: Actor = { kind: 'key', keyId: 'x', orgId: 1, scopes: new Set() };
const session = {
  kind: 'session',
  sessionId: 'x',
  userId: 1,
  orgId: 1,
  scopes: new Set<never>(),
  expiresAtMs: 0,
} as const;

it('each procedure is listed once', () => {
  const listed = (Object.keys(procedures) as (keyof typeof procedures)[]).flatMap(pathsOf);
  expect(listed.toSorted()).toEqual(Object.keys(appRouter._def.procedures).toSorted());
});

it('the public API asks for a credential, and for a scope of it', async () => {
  for (const path of pathsOf('scope')) {
    expect(await call(path, nobody), path).toMatchObject({ type: 'unauthorized' });
    if (path === 'organizations.me') continue;
    expect(await call(path, key), path).toMatchObject({
      type: 'forbidden',
      detail: expect.stringMatching(/^Missing required scope: /),
    });
  }
});

it.each(roles)('procedures for the role %s reject lower roles and API keys', async (needed) => {
  for (const path of pathsOf(needed)) {
    for (const actor of [nobody, key]) {
      expect(await call(path, actor), path).toEqual({ type: 'unauthorized', detail: 'Session required' });
    }
    for (const role of roles.filter((candidate) => !roleIncludes(candidate, needed))) {
      const detail = `Missing required role: ${needed}`;
      expect(await call(path, { ...session, role }), `${path} ${role}`).toEqual({ type: 'forbidden', detail });
    }
  }
});

it('a caller that the gateway has authorized for one procedure is not authorized for another one', async () => {
  const actor = { ...key, orgId: 1 };
  const context = { services: {} as Services, actor, requestId: 'x', clientAddress: '127.0.0.1' };
  for (const needs of [{ scopes: ['assets:read'] }, {}] as const) {
    const authorized = { needs, actor };
    const list = appRouter.createCaller({ ...context, authorized }).assets.list({ sort: undefined });
    expect(await refusalOf(list)).toMatchObject({ type: 'forbidden' });
  }
});
