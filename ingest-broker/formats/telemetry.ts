import { isPossible, quantities, type Quantity, type Telemetry } from '../../server/parsing.js';
import { numberOf } from './values.js';

/** Values of a tag as its message has them. A device with several sensors or buttons sends lists. */
export type RawTelemetry = Partial<Record<Quantity, unknown>>;

/** Returns the values that are numbers within their physical bounds; undefined if there are none. */
export function telemetryOf(raw: RawTelemetry): Telemetry | undefined {
  let telemetry: Telemetry | undefined;
  for (const quantity of quantities) {
    const value = valueOf(raw[quantity]);
    if (value !== undefined && isPossible(quantity, value)) (telemetry ??= {})[quantity] = value;
  }
  return telemetry;
}

/** In a list of buttons, a button that is not pressed is 0. */
function valueOf(raw: unknown): number | undefined {
  if (raw === undefined) return undefined;
  if (typeof raw === 'boolean') return Number(raw);
  return Array.isArray(raw) ? numberOf(raw.find(Boolean) ?? raw[0]) : numberOf(raw);
}
