import { transactionUnderLock } from '../../kernel/database/locks.js';
import { validationError } from '../../kernel/errors.js';
import { requireOpenSession } from '../../people/session/queries.js';
import { router, sessionProcedure } from '../../trpc.js';
import { addressOfHost, isPublicAddress } from '../webhooks/resolve.js';
import { pushKeys } from './keys.js';
import { findDevices, removeEndpoint, storeDevice } from './queries.js';
import { subscribeInput, unsubscribeInput } from './schemas.js';

/** Returns the public key for new subscriptions, and the endpoints of the person's devices. */
const listDevices = sessionProcedure('viewer').query(
  async ({ ctx }): Promise<{ public_key: string; endpoints: string[] }> => {
    const devices = await findDevices(ctx.services.db, ctx.orgId, ctx.actor);
    return {
      public_key: pushKeys(ctx.services.settings)[0].publicKey,
      endpoints: devices.map(({ endpoint }) => endpoint),
    };
  },
);

/** Subscribes the device of the session to alerts, until the session ends. */
const subscribe = sessionProcedure('viewer')
  .input(subscribeInput)
  .mutation(async ({ ctx, input: device }): Promise<void> => {
    const { orgId, actor, services } = ctx;
    const { userId, sessionId } = actor;
    const key = pushKeys(services.settings).find(({ publicKey }) => publicKey === device.public_key);
    if (!key) throw invalid('public_key', 'is not a key of this service');
    if (!isAllowed(device.endpoint, services.settings.webhooksAllowPrivateAddresses)) {
      throw invalid('endpoint', 'is not the address of a push service');
    }
    await transactionUnderLock(services.db, { lock: 'alerting', orgId }, async (tx) => {
      await requireOpenSession(tx, sessionId);
      await storeDevice(tx, orgId, { userId, sessionId, keyId: key.id, device });
    });
  });

const unsubscribe = sessionProcedure('viewer')
  .input(unsubscribeInput)
  .mutation(async ({ ctx, input: { endpoint } }): Promise<void> => {
    await removeEndpoint(ctx.services.db, ctx.orgId, { userId: ctx.actor.userId, endpoint });
  });

/** The address behind a name is checked when connecting. */
function isAllowed(endpoint: string, allowsPrivate: boolean): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  if (allowsPrivate) return protocol === 'https:' || protocol === 'http:';
  const literal = addressOfHost(hostname);
  return protocol === 'https:' && (literal === undefined || isPublicAddress(literal));
}

function invalid(field: string, words: string) {
  return validationError([{ field, code: 'invalid_value', message: `${field} ${words}` }]);
}

/** The devices of people that alerts are sent to. */
export const pushRouter = router({ list: listDevices, subscribe, unsubscribe });
