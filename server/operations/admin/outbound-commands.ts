import pg from 'pg';
import { pauseOutboundSql } from '../backup/outbound-pause-sql.js';
import { migrate } from '../../kernel/database/migrate.js';
import type { Log } from '../../kernel/log.js';
import type { Settings } from '../../kernel/settings.js';
import { openAdminDatabase } from './admin-database.js';

type CommandOptions = { readonly settings: Settings; readonly log: Log };

async function change(sql: string, { settings, log }: CommandOptions): Promise<boolean> {
  await using database = await openAdminDatabase(settings, log);
  const { url } = database;
  await migrate({ url, log });
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts admin' });
  await client.connect();
  try {
    return ((await client.query(sql)).rowCount ?? 0) > 0;
  } finally {
    await client.end();
  }
}

/** Pauses mail, webhooks and the external broker from the next start on; resolves to false if they are paused already. */
export async function pauseOutbound(options: CommandOptions): Promise<boolean> {
  return await change(pauseOutboundSql, options);
}

/** Releases mail, webhooks and the external broker, within seconds; resolves to false if nothing is paused. */
export async function releaseOutbound(options: CommandOptions): Promise<boolean> {
  return await change('DELETE FROM outbound_pause', options);
}
