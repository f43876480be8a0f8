import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SessionProvider } from '../session/context.js';
import { createSession } from '../session/session.js';
import { createFiles } from './files.js';
import { createApi, createOpenApi, createQueryClient, TRPCProvider } from './trpc.js';
import { FilesProvider } from './use-image.js';

/** The session, the clients and the cache of answers, for everything below. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [{ session, api, files, queryClient }] = useState(() => {
    const answers = createQueryClient();
    // Responses for another person or organization are dropped.
    const made = createSession({ openApi: createOpenApi(), onIdentityChange: () => answers.clear() });
    return { session: made, queryClient: answers, api: createApi(made), files: createFiles(made) };
  });
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={api} queryClient={queryClient}>
        <FilesProvider files={files}>
          <SessionProvider session={session}>{children}</SessionProvider>
        </FilesProvider>
      </TRPCProvider>
    </QueryClientProvider>
  );
}
