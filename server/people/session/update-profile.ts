import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { sessionProcedure } from '../../trpc.js';
import { renameUser } from './queries.js';

const input = z.strictObject({ name: nameField('create-string') });

/** Gives the person another name, in all their organizations. */
export const updateProfile = sessionProcedure('viewer')
  .input(input)
  .mutation(async ({ ctx, input: { name } }) => {
    const user = await renameUser(ctx.services.db, ctx.actor.userId, name);
    if (!user) throw refusal('token_invalid');
    return { user };
  });
