import { Prisma } from '../../../generated/prisma/client.js';
import { openDatabase } from '../../kernel/database/client.js';
import { migrate } from '../../kernel/database/migrate.js';
import { pauseOutboundSql } from '../backup/outbound-pause-sql.js';
import { type AdminOptions, openAdminDatabase } from './admin-database.js';

async function change(sql: string, { settings, log }: AdminOptions): Promise<boolean> {
  await using database = await openAdminDatabase(settings, log);
  await migrate({ url: database.url, log });
  await using pool = openDatabase({ url: database.url, poolSize: 1, log });
  return (await pool.db.$executeRaw(Prisma.raw(sql))) > 0;
}

/** Pauses mail, webhooks and the external broker from the next start on; resolves to false if they are paused already. */
export async function pauseOutbound(options: AdminOptions): Promise<boolean> {
  return await change(pauseOutboundSql, options);
}

/** Ends the pause of mail, webhooks and the external broker within seconds; resolves to false if nothing is paused. */
export async function releaseOutbound(options: AdminOptions): Promise<boolean> {
  return await change('DELETE FROM outbound_pause', options);
}
