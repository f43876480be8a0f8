import { createIdentity } from './auth/identity.js';
import type { Actor, Context } from './context.js';
import type { Database } from './database/client.js';
import type { Log } from './log.js';
import { appRouter } from './router.js';
import type { Services } from './services.js';
import type { Settings } from './settings.js';

/** What a door knows of a request besides its input. */
export type Caller = Omit<Context, 'services'>;

/** The room, as the doors see it. */
export type Core = {
  router: typeof appRouter;
  /** @throws ContractError `unauthorized` with a detail of spec §5 */
  identify(token: string): Promise<Actor>;
  contextFor(caller: Caller): Context;
  /** Rejects where the database cannot be reached. */
  checkDatabase(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type CoreOptions = { db: Database; settings: Settings; log: Log };

/** Builds the room around a migrated database. `settings.authSecret` must be set by now. */
export function createCore({ db, settings, log }: CoreOptions): Core {
  const identity = createIdentity({ db, log, settings: { ...settings, authSecret: settings.authSecret ?? '' } });
  const services: Services = { db, settings, log, identity };
  return {
    router: appRouter,
    identify: (token) => identity.identify(token),
    contextFor: (caller) => ({ ...caller, services }),
    async checkDatabase() {
      await db.$queryRaw`SELECT 1`;
    },
    async start() {},
    async stop() {
      await identity.stop();
    },
  };
}
