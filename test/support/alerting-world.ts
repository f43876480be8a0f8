import { expect } from 'vitest';
import type { EventType } from '../../server/notifying/events/event-types.js';
import type { Settings } from '../../server/kernel/settings.js';
import { createCaller, nobody } from './caller.js';
import { addSession, type TestSession } from './factories.js';
import { shareInWorker } from './shared.js';
import { createReceiver, type WebhookReceiver } from './webhook-receiver.js';
import { createWorld, type TestOrganization, type World } from './world.js';

type Caller = ReturnType<typeof createCaller>;

/** A whole service, an organization with an administrator, and a receiver of webhooks. */
export type AlertingWorld = World & {
  readonly org: TestOrganization;
  readonly session: TestSession;
  /** Calls procedures as the administrator. */
  readonly admin: Caller;
  readonly receiver: WebhookReceiver;
  /** Creates an endpoint at the receiver. */
  endpoint(
    options?: Partial<Parameters<Caller['webhooks']['create']>[0]>,
  ): Promise<Awaited<ReturnType<Caller['webhooks']['create']>>>;
  as(session: TestSession): Promise<Caller>;
  /** Resolves once this process knows that the organization has a use for a type of event. */
  interested(type: EventType): Promise<void>;
};

const startWorld = (settings: Partial<Settings> = {}) =>
  createWorld({ settings: { webhooksAllowPrivateAddresses: true, ...settings }, jobsRepeatMs: 500 });

export async function createAlertingWorld(settings?: Partial<Settings>): Promise<AlertingWorld> {
  return addReceiver(await startWorld(settings));
}

const sharedAlertingService = shareInWorker(() => startWorld());

/**
 * The same with a service that the test files of a worker share; the organization and the receiver are new. Disposing of it deletes all
 * endpoints and rules.
 */
export async function sharedAlertingWorld(): Promise<AlertingWorld> {
  const world = await sharedAlertingService();
  return addReceiver({
    ...world,
    async [Symbol.asyncDispose]() {
      await world.db.alertRule.deleteMany();
      await world.db.webhookEndpoint.deleteMany();
    },
  });
}

async function addReceiver(world: World): Promise<AlertingWorld> {
  const org = await world.organization();
  const session = await addSession(world, org.orgId, 'admin');
  const receiver = await createReceiver();
  const as = async ({ token }: TestSession) => {
    const actor = await world.core.identify(token);
    const { services } = world.core.contextFor({ actor, requestId: 'test', clientAddress: '192.0.2.1' });
    return createCaller(services, actor);
  };
  const admin = await as(session);
  return {
    ...world,
    org,
    session,
    admin,
    receiver,
    as,
    async interested(type) {
      const { services } = world.core.contextFor({ actor: nobody, requestId: 'test', clientAddress: '192.0.2.1' });
      await expect.poll(() => services.eventInterests.wants(org.orgId, type)).toBe(true);
    },
    async endpoint(options = {}) {
      const endpoint = await admin.webhooks.create({ name: 'Receiver', url: receiver.url, ...options });
      receiver.secret = endpoint.secret;
      return endpoint;
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
