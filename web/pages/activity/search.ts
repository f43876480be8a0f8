import { type Entry, entryPoints, kinds } from '../../activity/entry.js';

/** Which changes are shown, as in the address. Days are in the viewer's time zone. */
export type ActivitySearch = {
  kind?: Entry['kind'];
  actor?: string;
  entry_point?: Entry['entry_point'];
  from?: string;
  to?: string;
};

export function parseActivitySearch({
  kind,
  actor,
  entry_point: entryPoint,
  from,
  to,
}: Record<string, unknown>): ActivitySearch {
  return {
    ...(isOneOf(kinds, kind) && { kind }),
    ...(typeof actor === 'string' && /^(?:user:\d{1,10}|key:[0-9a-f-]{36})$/.test(actor) && { actor }),
    ...(isOneOf(entryPoints, entryPoint) && { entry_point: entryPoint }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}

function isOneOf<Choice extends string>(choices: readonly Choice[], value: unknown): value is Choice {
  return choices.some((choice) => choice === value);
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}
