import type { Device } from '../auth/devices.js';
import type { Context } from '../context.js';

/** Returns the device of the request; undefined if this service does not know it. */
export function presentedDevice(ctx: Context): Device | undefined {
  return ctx.services.identity.devices.read(ctx.deviceCookie?.read());
}

/** Returns the device of the request, or a new one. Undefined only if the caller keeps no cookies. */
export function deviceOf(ctx: Context): Device | undefined {
  if (!ctx.deviceCookie) return undefined;
  return presentedDevice(ctx) ?? ctx.services.identity.devices.create();
}
