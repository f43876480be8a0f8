import { z } from 'zod';
import { choiceField } from '../../kernel/validation/choice-field.js';
import { booleanField, idField, integerField, textField } from '../../kernel/validation/fields.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { timeZoneField } from '../../kernel/validation/time-zone.js';

/** The most scheduled emails of one person in an organization, and of all its members. */
export const ownScheduledMax = 20;
export const scheduledMax = 200;

/** The most other members who get one email. */
const recipientsMax = 50;

export const frequencies = ['daily', 'weekly', 'monthly'] as const;

const fileFormats = ['xlsx', 'csv'] as const;

export type FileFormat = (typeof fileFormats)[number];

const reportKinds = ['dwell', 'flow', 'use', 'inventory', 'unseen', 'missing'] as const;

export type ReportKind = (typeof reportKinds)[number];

/** A report with its filters, without an instant: each email is about the time before it. */
const reportField = z.strictObject({
  kind: choiceField(reportKinds, 'create-default'),
  location_id: idField('create-default').exactOptional(),
  asset_id: idField('create-default').exactOptional(),
  /** The length of the period, or for how long assets have not been seen. */
  days: integerField({ min: 1, max: 3650 }, 'create-default').exactOptional(),
});

export type ScheduledReport = z.output<typeof reportField>;

/** When an email is due, by the clock of a time zone. */
const timingFields = {
  frequency: choiceField(frequencies, 'create-default'),
  /**
   * The day of the week, from 1 for Monday, or the day of the month; in a shorter month, its last day. Ignored if
   * daily.
   */
  day: integerField({ min: 1, max: 31 }, 'create-default').default(1),
  hour: integerField({ min: 0, max: 23 }, 'create-default'),
  time_zone: timeZoneField,
};

const timing = z.strictObject(timingFields);

export type Timing = z.output<typeof timing>;

/** Either a view or a report. */
export const createInput = z.strictObject({
  /** Other members who get the emails too; only managers choose them. */
  user_ids: idListField(recipientsMax, 0).default([]),
  view_id: idField('create-default').exactOptional(),
  report: reportField.exactOptional(),
  format: choiceField(fileFormats, 'create-default'),
  ...timingFields,
});

export type NewScheduledEmail = z.output<typeof createInput>;

export const idInput = z.strictObject({ id: idField('required') });

export const setRecipientsInput = z.strictObject({
  id: idField('required'),
  user_ids: idListField(recipientsMax, 0),
});

export const setPausedInput = z.strictObject({ id: idField('required'), is_paused: booleanField('create-default') });

export const stopInput = z.strictObject({ token: textField({ min: 1, max: 1000 }, 'create-string') });

/** A scheduled email in the list of its person. */
export type ScheduledEmail = Timing & {
  id: number;
  /** Null for a report. */
  view: { id: number; name: string; query: string } | null;
  report: ScheduledReport | null;
  format: FileFormat;
  is_paused: boolean;
  /** Who has the person get it; null for the person. */
  sender: string | null;
  /** The other members who get it because of the person, by name; those who have stopped it among them. */
  recipients: { user_id: number; name: string; is_paused: boolean }[];
  last_sent_at: string | null;
};
