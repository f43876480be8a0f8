import { existsSync } from 'node:fs';
import path from 'node:path';
import { createHealth } from '../../../gateway/health.js';
import { createGateway, type Gateway } from '../../../gateway/index.js';
import { createPasswords } from '../../../server/people/auth/passwords.js';
import { projectRoot } from '../../../server/kernel/project-root.js';
import type { Settings } from '../../../server/kernel/settings.js';
import { type BrokerWorld, createBrokerWorld } from '../../support/mqtt.js';
import { freePort } from '../../support/program.js';

/** A service with gateway, broker and the built app. */
export type BrowserService = Omit<BrokerWorld, 'port'> & {
  /** Where the service is, without a slash at its end. */
  readonly url: string;
  readonly mqttPort: number;
  /** Of `password`, for accounts. */
  readonly passwordHash: string;
  /** Makes the service unreachable, until it is back at the same address. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
};

/** The password of every account of the tests. */
export const password = 'a long password of the tests';

export async function startBrowserService(given: Partial<Settings>): Promise<BrowserService> {
  const webFolder = path.join(projectRoot(), 'dist-web');
  if (!existsSync(webFolder)) throw new Error('the app is not built: npm run build');
  const docsFolder = path.join(projectRoot(), 'dist-docs');
  // They must be known before anything listens, since addresses with them are shown.
  const [port, mqttPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  // The addresses that the app shows are part of what people do with it.
  const addresses = { port, mqttPort, baseUrl: url };
  const rateLimit = { requests: 1_000_000, windowSeconds: 60 };
  const world = await createBrokerWorld({ settings: { ...addresses, rateLimit, ...given } });
  const { core, log, settings } = world;
  const passwordHash = await createPasswords().hash(password, { clientAddress: '127.0.0.1' });
  let gateway: Gateway | undefined;

  async function comeBack(): Promise<void> {
    if (gateway) return;
    const health = createHealth({ core, settings, log, probes: { brokerListening: () => world.broker.isListening() } });
    // A gateway that takes long to close ends the work of its core, which goes on here.
    const lasting = { ...core, finishRequests: () => Promise.resolve() };
    gateway = createGateway({ core: lasting, settings, log, health, webFolder, docsFolder });
    await gateway.listen();
  }

  async function goAway(): Promise<void> {
    await gateway?.close();
    gateway = undefined;
  }

  await comeBack();
  return {
    ...world,
    url,
    mqttPort,
    passwordHash,
    goAway,
    comeBack,
    async [Symbol.asyncDispose]() {
      await goAway();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** The service of the test process, which ends with it: starting one takes as long as a page. */
let shared: Promise<BrowserService> | undefined;

/** Returns the service that the test files of this process share. Its webhooks may go to receivers of the tests. */
export function sharedService(): Promise<BrowserService> {
  shared ??= startBrowserService({ webhooksAllowPrivateAddresses: true });
  return shared;
}
