import { recordChange } from '../activity/record.js';
import { randomToken } from '../auth/random-token.js';
import { breaksUnique } from '../../kernel/database/faults.js';
import { refusal } from '../../kernel/errors.js';
import { lockMembers } from '../members/queries.js';
import { router, sessionProcedure } from '../../trpc.js';
import {
  deleteDomain,
  type EmailDomainRow,
  emailDomainsMax,
  findDomain,
  findDomains,
  insertDomain,
  updateDomainRole,
  verifyDomain,
} from './queries.js';
import { addDomainInput, domainInput, setDomainRoleInput } from './schemas.js';

/** Returns a domain for administrators, with the DNS record that proves it. */
function viewDomain({ token, ...row }: EmailDomainRow) {
  return {
    ...row,
    record_name: `_whereabouts.${row.domain}`,
    record_value: `whereabouts-verification=${token}`,
  };
}

/** Lists the email domains of the organization, in order. */
const listDomains = sessionProcedure('admin').query(async ({ ctx }) => ({
  data: (await findDomains(ctx.services.db, ctx.orgId)).map(viewDomain),
}));

/** Claims a domain, which works once it is verified. 409 if the organization has it already, or has too many. */
const addDomain = sessionProcedure('admin')
  .input(addDomainInput)
  .mutation(async ({ ctx, input: { domain, role } }) => {
    const { orgId } = ctx;
    const row = await ctx.services.db.$transaction(async (tx) => {
      await lockMembers(tx, { orgId, actorId: ctx.actor.userId });
      if ((await findDomains(tx, orgId)).length >= emailDomainsMax) {
        throw refusal('limit_reached', { max: emailDomainsMax, what: 'email domains' });
      }
      const made = await insertDomain(tx, orgId, { domain, role, token: randomToken() });
      if (!made) throw refusal('domain_added');
      await recordChange(tx, ctx, { ...changeOf(domain), action: 'created', after: { role } });
      return made;
    });
    return viewDomain(row);
  });

/** Changes the role that later members of a domain get. */
const setDomainRole = sessionProcedure('admin')
  .input(setDomainRoleInput)
  .mutation(async ({ ctx, input: { domain, role } }) => {
    const { orgId } = ctx;
    const row = await ctx.services.db.$transaction(async (tx) => {
      await lockMembers(tx, { orgId, actorId: ctx.actor.userId });
      const before = await findDomain(tx, orgId, domain);
      const changed = await updateDomainRole(tx, orgId, { domain, role });
      if (!before || !changed) throw noDomain();
      if (before.role !== role) {
        const states = { before: { role: before.role }, after: { role } };
        await recordChange(tx, ctx, { ...changeOf(domain), action: 'updated', ...states });
      }
      return changed;
    });
    return viewDomain(row);
  });

/**
 * Looks up the DNS record of a domain, and sets the domain to verified if it exists. 409 if it does not, or if another
 * organization has verified the domain.
 */
const verifyDomainRecord = sessionProcedure('admin')
  .input(domainInput)
  .mutation(async ({ ctx, input: { domain } }) => {
    const { orgId } = ctx;
    const { db, resolveTxt } = ctx.services;
    const claim = await findDomain(db, orgId, domain);
    if (!claim) throw noDomain();
    const { record_name: name, record_value: value } = viewDomain(claim);
    if (!(await resolveTxt(name)).includes(value)) throw refusal('domain_record_missing');
    const row = await ctx.services.db.$transaction(async (tx) => {
      await lockMembers(tx, { orgId, actorId: ctx.actor.userId });
      const current = await findDomain(tx, orgId, domain);
      // If the claim was removed and created again, it needs another record.
      if (current?.token !== claim.token) throw noDomain();
      const verified = await verifyDomain(tx, orgId, domain).catch((error: unknown) => {
        throw breaksUnique(error, 'email_domains_verified') ? refusal('domain_of_others') : error;
      });
      if (current.verified_at === null) {
        await recordChange(tx, ctx, { ...changeOf(domain), action: 'updated', after: { verified: true } });
      }
      return verified ?? current;
    });
    return viewDomain(row);
  });

/** Removes a domain. Members who joined by it stay. */
const removeDomain = sessionProcedure('admin')
  .input(domainInput)
  .mutation(async ({ ctx, input: { domain } }) => {
    const { orgId } = ctx;
    await ctx.services.db.$transaction(async (tx) => {
      await lockMembers(tx, { orgId, actorId: ctx.actor.userId });
      if (!(await deleteDomain(tx, orgId, domain))) throw noDomain();
      await recordChange(tx, ctx, { ...changeOf(domain), action: 'deleted' });
    });
    return { domain };
  });

function changeOf(domain: string) {
  return { kind: 'email_domain', objectId: domain, objectName: domain } as const;
}

const noDomain = () => refusal('not_found', { what: 'Email domain' });

/** Email domains whose people become members at their first single sign-on. */
export const emailDomainsRouter = router({
  list: listDomains,
  add: addDomain,
  setRole: setDomainRole,
  verify: verifyDomainRecord,
  remove: removeDomain,
});
