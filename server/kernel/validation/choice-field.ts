import { fail, field } from './failure.js';
import { missing, wrongType } from './fields.js';

const nullWords = {
  'create-default': 'omit the field to use the server default, or provide a value',
  patch: 'omit the field to leave unchanged, or provide a value',
};

/** Returns a field that accepts one of some words; `onNull` chooses the advice for null. */
export function choiceField<const Choice extends string>(choices: readonly Choice[], onNull: keyof typeof nullWords) {
  return field<Choice>(
    (value) => {
      if (value === undefined) return missing;
      if (value === null) return fail('invalid_value', `{f} cannot be null; ${nullWords[onNull]}`, { stage: 'null' });
      if (typeof value !== 'string') return wrongType('string', value);
      const known = choices.find((choice) => choice === value);
      if (known) return known;
      return fail('invalid_value', `{f} must be one of: ${choices.join(', ')}`, {
        params: { allowed_values: choices },
      });
    },
    { type: 'string', enum: choices },
  );
}

/** Returns a filter parameter that accepts one of some words. */
export function choiceParameter<const Choice extends string>(choices: readonly Choice[]) {
  return choiceField(choices, 'create-default');
}
