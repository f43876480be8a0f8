import type { Settings } from '../../../../server/kernel/settings.js';
import { createCaller } from '../../../support/caller.js';
import { type BrowserAnswer, type CookieBrowser, createCookieBrowser } from '../../../support/cookie-browser.js';
import { addSession } from '../../../support/factories.js';
import {
  createIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from '../../../support/identity-provider.js';
import { createWorld, type World } from '../../../support/world.js';

export const baseUrl = 'https://whereabouts.example.com';

export type SignOnWorld = World & {
  idp: IdentityProvider;
  orgId: number;
  admin: ReturnType<typeof createCaller>;
  /** Adds another organization with an administrator. */
  addOrganization(name?: string): Promise<Pick<SignOnWorld, 'orgId' | 'admin'>>;
  browser(): CookieBrowser;
  /** Runs the whole flow of a person: to the provider, and back. */
  signOn(subject: string, options?: SignOnOptions): Promise<BrowserAnswer>;
  /** The number of people who have an account. */
  people(): Promise<number>;
};

export type SignOnOptions = {
  browser?: CookieBrowser;
  start?: { return_to?: string; invitation?: string };
};

type Options = Partial<Omit<IdentityProviderOptions, 'settings'>> & {
  signOn?: IdentityProviderOptions['settings'];
  settings?: Partial<Settings>;
  nameServers?: readonly string[];
};

/** A service, an organization with an administrator, and an identity provider. */
export async function createSignOnWorld({
  signOn,
  settings,
  nameServers,
  ...provider
}: Options = {}): Promise<SignOnWorld> {
  const idp = await createIdentityProvider({ baseUrl, ...(signOn && { settings: signOn }), ...provider });
  const world = await createWorld({
    settings: { baseUrl, signOn: idp.settings, ...settings },
    ...(nameServers && { nameServers }),
  });
  const addOrganization = async (name?: string) => {
    const { orgId } = await world.organization(name);
    const { token } = await addSession(world, orgId, 'admin');
    const actor = await world.core.identify(token);
    const { services } = world.core.contextFor({ actor, requestId: 'test', clientAddress: '192.0.2.1' });
    return { orgId, admin: createCaller(services, actor) };
  };
  const { orgId, admin } = await addOrganization();
  const browser = () => createCookieBrowser(world.url);
  const disposeOfWorld = world[Symbol.asyncDispose];
  return Object.assign(world, {
    idp,
    orgId,
    admin,
    addOrganization,
    browser,
    async signOn(subject: string, { browser: used = browser(), start = {} }: SignOnOptions = {}) {
      const { data } = await used.call('session.startSignOn', start);
      const back = await idp.signIn((data as { url: string }).url, subject);
      return used.call('session.finishSignOn', { query: back.search.slice(1) });
    },
    people: () => world.db.user.count(),
    async [Symbol.asyncDispose]() {
      await disposeOfWorld();
      await idp[Symbol.asyncDispose]();
    },
  });
}
