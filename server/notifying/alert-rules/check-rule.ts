import type { z } from 'zod';
import { type EventType, isLimit, isTimed } from '../events/event-types.js';
import type { Failure } from '../../kernel/validation/failure.js';

type Checked = {
  event_type: EventType;
  assets: { kind: string; ids?: number[]; field?: string; metadata_key?: string; operator?: string; value?: string };
  locations: { kind: string; ids?: number[] };
  limit_seconds: number | null;
  threshold: number | null;
};

/** Checks the rules between the fields of a rule. */
export function checkRule(rule: Checked, context: z.RefinementCtx): void {
  const { assets, locations, limit_seconds: limit, threshold, event_type: type } = rule;
  const required = (path: string[]) => report(path, { code: 'required', message: '{f} is required' });
  const report = (path: string[], failure: Failure) =>
    context.addIssue({ code: 'custom', path, params: { failure }, message: failure.message, input: undefined });
  if (assets.kind === 'chosen' && !assets.ids) required(['assets', 'ids']);
  if (assets.kind === 'match') {
    for (const key of ['field', 'operator', 'value'] as const) {
      if (assets[key] === undefined) required(['assets', key]);
    }
    if (assets.field === 'metadata' && assets.metadata_key === undefined) required(['assets', 'metadata_key']);
  }
  if (locations.kind === 'chosen' && !locations.ids) required(['locations', 'ids']);
  if (isTimed(type) && limit === null) required(['limit_seconds']);
  if (!isTimed(type) && limit !== null) {
    report(['limit_seconds'], { code: 'invalid_context', message: `{f} does not apply to ${type}` });
  }
  if (isLimit(type) && threshold === null) required(['threshold']);
  if (!isLimit(type) && threshold !== null) {
    report(['threshold'], { code: 'invalid_context', message: `{f} does not apply to ${type}` });
  }
  if (type === 'asset.battery_low' && threshold !== null && (threshold < 1 || threshold > 100)) {
    report(['threshold'], { code: 'invalid_value', message: '{f} must be a percentage from 1 to 100' });
  }
}
