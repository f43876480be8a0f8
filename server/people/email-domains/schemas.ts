import { z } from 'zod';
import { roles } from '../auth/scopes.js';
import { fail, field } from '../../kernel/validation/failure.js';
import { choiceField } from '../../kernel/validation/choice-field.js';
import { checkedField } from '../../kernel/validation/fields.js';
import { isPublicDomain, normalizedDomain } from './domain-name.js';
import type { DomainRole } from './queries.js';

const domainRoles = roles.filter((role): role is DomainRole => role !== 'admin');

/** A domain, in the form in which domains are compared. */
const domainField = checkedField('create-string', (value) => normalizedDomain(value) ?? fail('not_domain'), {
  type: 'string',
  format: 'hostname',
  maxLength: 253,
});

const ownDomainField = domainField.pipe(
  field<string, string>((value) => (isPublicDomain(String(value)) ? fail('public_domain') : String(value)), {
    type: 'string',
  }),
);

const domainRoleField = choiceField(domainRoles, 'create-string');

export const addDomainInput = z.strictObject({
  domain: ownDomainField,
  /** The lowest role by default. */
  role: domainRoleField.default('viewer'),
});

export const setDomainRoleInput = z.strictObject({ domain: domainField, role: domainRoleField });

export const domainInput = z.strictObject({ domain: domainField });
