import { Prisma } from '../../../generated/prisma/client.js';
import type { Quota } from '../../kernel/database/quota.js';

/** The quota of keys of an organization; revoked and expired ones stay in the list. */
export const apiKeyQuota: Quota = {
  table: 'api_keys',
  lock: 'apiKeys',
  isLive: Prisma.sql`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()))`,
  noun: 'API keys',
  liveMax: 1000,
  pastMax: 10_000,
};
