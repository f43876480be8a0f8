import type { Context } from '../../context.js';
import type { Queries } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import type { Device } from '../auth/devices.js';

/** Returns the device of the request; undefined if this service does not know it. */
export function presentedDevice(ctx: Context): Device | undefined {
  return ctx.services.identity.devices.read(ctx.deviceCookie?.read());
}

/** Returns the device of the request, or a new one. Undefined only if the caller keeps no cookies. */
export function deviceOf(ctx: Context): Device | undefined {
  if (!ctx.deviceCookie) return undefined;
  return presentedDevice(ctx) ?? ctx.services.identity.devices.create();
}

/**
 * Returns the name by which devices remember the person with an email address. It changes when the address is proven,
 * so that devices of somebody who used the account before its owner become unknown.
 */
export async function devicePerson(db: Queries, email: string): Promise<string> {
  const rows = await db.$queryRaw<{ proven_at: number }[]>`
    SELECT ${epochMs('email_proven_at')} AS proven_at FROM users WHERE email = ${email} AND email_proven_at IS NOT NULL`;
  return rows[0] ? `${email} ${rows[0].proven_at}` : email;
}
