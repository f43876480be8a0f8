import { z } from 'zod';
import { fieldFault } from '../field-reasons.js';
import { issueOf } from './failure.js';

/**
 * Rejects two parameters that specify the same thing in two ways, on each of them, even if their values agree (contract
 * 4). Checks the raw input, so that it is reported together with the failures of other fields.
 */
export function exclusivePair<Input extends object>(one: string, other: string): z.core.$ZodCheck<Input> {
  const failure = fieldFault('mutually_exclusive', { one, other });
  const check = z.check<Input>((payload) => {
    // Undefined if the input was not an object.
    const sent = (payload.value ?? {}) as Record<string, unknown>;
    if (sent[one] === undefined || sent[other] === undefined) return;
    for (const field of [one, other]) payload.issues.push(issueOf(failure, sent[field], [field]));
  });
  check._zod.def.when = () => true;
  return check;
}
