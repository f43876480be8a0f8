import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import type { Files, ImageSize } from './files.js';

const FilesContext = createContext<Files | null>(null);

export function FilesProvider({ files, children }: { files: Files; children: ReactNode }) {
  return <FilesContext value={files}>{children}</FilesContext>;
}

/** Loads and stores images. */
export function useFiles(): Files {
  const files = useContext(FilesContext);
  if (!files) throw new Error('no FilesProvider above');
  return files;
}

export type LoadedImage = {
  /** An object URL that is valid while the component is mounted; undefined until the image has arrived. */
  url: string | undefined;
  error: unknown;
  retry: () => void;
};

/** Loads an image of the organization with the session's token; nothing without an id. An image never changes. */
export function useImage(imageId: number | null | undefined, size: ImageSize = 'full'): LoadedImage {
  const files = useFiles();
  const { data, error, refetch } = useQuery({
    queryKey: ['files.image', imageId, size],
    queryFn: ({ signal }) => files.loadImage(imageId ?? 0, { size, signal }),
    enabled: imageId !== null && imageId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useObjectUrl(data);
  return { url, error, retry: () => void refetch() };
}

/** Returns an object URL of a blob, valid while the component is mounted and shows this blob. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const store = useMemo(() => createObjectUrl(blob), [blob]);
  return useSyncExternalStore(store.subscribe, store.url);
}

/** Holds an object URL from the first subscription to the end of the last one. */
function createObjectUrl(blob: Blob | undefined) {
  let url: string | undefined;
  let subscriptions = 0;
  return {
    url: () => url,
    subscribe() {
      subscriptions += 1;
      if (blob) url ??= URL.createObjectURL(blob);
      return () => {
        subscriptions -= 1;
        if (subscriptions > 0 || url === undefined) return;
        URL.revokeObjectURL(url);
        url = undefined;
      };
    },
  };
}
