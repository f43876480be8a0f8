import { z } from 'zod';
import { ContractError } from '../errors.js';
import { sessionProcedure } from '../trpc.js';
import { nameField } from '../validation/resource-fields.js';

const input = z.strictObject({ name: nameField('create-string') });

export const renameOrganization = sessionProcedure('admin')
  .input(input)
  .mutation(async ({ ctx, input: { name } }) => {
    const { count } = await ctx.services.db.organization.updateMany({ where: { id: ctx.orgId }, data: { name } });
    if (count === 0) throw new ContractError('not_found', 'Organization not found');
    return { id: ctx.orgId, name };
  });
