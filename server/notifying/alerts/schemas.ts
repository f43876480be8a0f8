import { z } from 'zod';
import { eventTypes } from '../events/event-types.js';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import { fail, field } from '../../kernel/validation/failure.js';
import { integerField, wrongType } from '../../kernel/validation/fields.js';
import { idParameter, integerParameter, timestampParameter } from '../../kernel/validation/parameters.js';

const idMax = Number.MAX_SAFE_INTEGER;
const acknowledgedMax = 200;

/** `open`: neither acknowledged nor ended. */
export const alertStatuses = ['open', 'acknowledged', 'ended'] as const;

export type AlertStatus = (typeof alertStatuses)[number];

export const listAlertsInput = z
  .strictObject({
    status: choiceParameter(alertStatuses).exactOptional(),
    event_type: choiceParameter(eventTypes).exactOptional(),
    rule_id: idParameter().exactOptional(),
    asset_id: idParameter().exactOptional(),
    reader_id: idParameter().exactOptional(),
    /** Alerts that concern a location or its sublocations, by the tree at the time when they were opened. */
    location_id: idParameter().exactOptional(),
    /** Alerts opened at or after `from`, and before `to`. */
    from: timestampParameter().exactOptional(),
    to: timestampParameter().exactOptional(),
    limit: integerParameter({ min: 1, max: 200 }).default(50),
    /** Continues a list: the alerts before this one. */
    before_id: integerParameter({ min: 1, max: idMax }).exactOptional(),
  })
  .prefault({});

export type AlertFilter = z.output<typeof listAlertsInput>;

export const alertIdInput = z.strictObject({ id: integerField({ min: 1, max: idMax }, 'required') });

export const acknowledgeInput = z.strictObject({
  ids: field<number[]>(
    (value) => {
      if (!Array.isArray(value)) return wrongType('array', value);
      const ids = value as unknown[];
      if (ids.length === 0 || ids.length > acknowledgedMax || !ids.every((id) => Number.isSafeInteger(id))) {
        return fail('wrong_ids', { max: acknowledgedMax });
      }
      return ids.map(Number);
    },
    { type: 'array', items: { type: 'integer' } },
  ),
});
