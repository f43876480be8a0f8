import { z } from 'zod';
import { pagingFields } from '../../kernel/lists.js';
import { submissionIdField } from '../../kernel/database/submissions.js';
import { readShape } from '../scans/schemas.js';
import { field, fail } from '../../kernel/validation/failure.js';
import { idField, timestampField } from '../../kernel/validation/fields.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { listField } from '../../kernel/validation/list-field.js';
import {
  booleanParameter,
  idParameter,
  integerParameter,
  timestampParameter,
} from '../../kernel/validation/parameters.js';

/** The number of assets that `locations.expected` returns at most. */
export const auditExpectedMax = 5000;
const auditReadsMax = 5000;

/** The outcome of an audit for one item. `unassigned` is a tag that is not attached to anything. */
export const auditOutcomes = ['found', 'missing', 'unexpected', 'unassigned'] as const;

export type AuditOutcome = (typeof auditOutcomes)[number];

const outcomeParameter = field<AuditOutcome>(
  (value) => auditOutcomes.find((outcome) => outcome === value) ?? fail('not_one_of', { allowed: auditOutcomes }),
  { type: 'string', enum: auditOutcomes },
);

export const saveInput = z.strictObject({
  submission_id: submissionIdField,
  location_id: idField('required'),
  started_at: timestampField('create-default'),
  observed_at: timestampField('create-default').exactOptional(),
  /** The time of the device when it sends. Its difference from the time of receipt corrects the other times. */
  sent_at: timestampField('create-default').exactOptional(),
  /** The assets that were expected at the location when the audit was started. */
  expected: idListField(auditExpectedMax, 0),
  reads: listField(readShape, { min: 0, max: auditReadsMax }),
});

export const listInput = z
  .strictObject({
    location_id: idParameter().exactOptional(),
    including_sublocations: booleanParameter().default(true),
    from: timestampParameter().exactOptional(),
    until: timestampParameter().exactOptional(),
    ...pagingFields,
  })
  .prefault({});

export const auditId = { audit_id: submissionIdField };

const itemPaging = {
  limit: integerParameter({ min: 1, max: 1000 }).default(200),
  offset: integerParameter({ min: 0, max: 20_000 }).default(0),
};

export const itemsInput = z.strictObject({ ...auditId, outcome: outcomeParameter.exactOptional(), ...itemPaging });

export const compareInput = z.strictObject({ ...auditId, earlier_audit_id: submissionIdField, ...itemPaging });
