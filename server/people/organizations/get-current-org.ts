import { z } from 'zod';
import { ContractError } from '../../kernel/errors.js';
import { described, scopedProcedure } from '../../trpc.js';
import { describedAs } from '../../kernel/validation/failure.js';
import { viewFields } from '../../kernel/validation/resource-fields.js';

const orgView = z
  .object({
    id: viewFields.id,
    name: z.string(),
    scopes: z.array(z.string()),
    api_key_id: z.string().meta(describedAs({ type: 'string', format: 'uuid' })),
  })
  .meta({ id: 'OrgView' });

/**
 * `GET /api/v1/orgs/me`: returns the organization and scopes of the caller's key (contract 2.7, 3.3); 422 if that
 * organization was deleted.
 */
export const getCurrentOrg = scopedProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/orgs/me',
      operationId: 'getCurrentOrg',
      summary: 'Get the organization of the API key',
      description: 'Returns the organization and the scopes of the API key.',
      tags: ['orgs'],
    },
    scopes: [],
    keysOnly: true,
    schemas: { response: 'OrgResponse' },
  })
  .input(z.strictObject({}))
  .output(described(z.object({ data: orgView })))
  .query(async ({ ctx }) => {
    const { actor } = ctx;
    if (actor.kind !== 'key') throw new ContractError('unauthorized', 'API key authentication required');
    const organization = await ctx.services.db.models((models) =>
      models.organization.findUnique({ where: { id: ctx.orgId }, select: { id: true, name: true } }),
    );
    if (!organization) throw new ContractError('missing_org_context', 'An active organization context is required');
    return { data: { ...organization, scopes: [...actor.scopes], api_key_id: actor.keyId } };
  });
