import type { Identity } from './auth/identity.js';
import type { Database } from './database/client.js';
import type { Log } from './log.js';
import type { Settings } from './settings.js';

/** What the procedures work with, made once at start and handed in. */
export type Services = {
  db: Database;
  settings: Settings;
  log: Log;
  identity: Identity;
};
