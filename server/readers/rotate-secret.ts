import { hashToken, randomToken } from '../auth/random-token.js';
import { sessionProcedure } from '../trpc.js';
import { readerNotFound } from './not-found.js';
import { changeSecret } from './queries.js';
import { readerIdInput } from './schemas.js';

/** Gives a reader another password, this once; connections made with the old one end within 2 s. */
export const rotateSecret = sessionProcedure('admin')
  .input(readerIdInput)
  .mutation(async ({ ctx, input: { id } }) => {
    const password = randomToken();
    const changed = await changeSecret(ctx.services.db, ctx.orgId, { readerId: id, secretHash: hashToken(password) });
    if (!changed) throw readerNotFound();
    return { mqtt_password: password };
  });
