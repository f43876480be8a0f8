import { t } from '@lingui/core/macro';
import type { ImageKind } from '../../server/things/images/kinds.js';
import type { UploadedImage } from '../../server/things/images/router.js';
import type { ErrorData } from '../../server/trpc.js';
import { PictureError, problemOf, RefusedError, UnreachableError } from './errors.js';
import type { TokenSource } from './trpc.js';

const imagesUrl = '/files/images';
const unauthorizedStatus = 401;

/** The most bytes of an image. */
export const imageBytesMax = 10 * 1024 * 1024;

/** The media types that a file input or a drop accepts, for the `accept` attribute. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'];

export type ImageSize = 'full' | 'thumbnail';

export type ImageUpload = {
  kind: ImageKind;
  /** Called with the fraction that was sent, from 0 to 1. */
  onProgress?: (part: number) => void;
  signal?: AbortSignal;
};

/** Uploads and downloads images with the session's token. `problemOf` accepts its errors. */
export type Files = {
  loadImage(imageId: number, options: { size: ImageSize; signal?: AbortSignal }): Promise<Blob>;
  /** Stores an image. It is deleted after an hour unless something refers to it by then. */
  uploadImage(file: Blob, upload: ImageUpload): Promise<UploadedImage>;
};

export function createFiles({ token, dropToken }: TokenSource): Files {
  /** Renews a token that the service no longer accepts, once. */
  async function withToken<Result>(send: (authorization: string) => Promise<Result>): Promise<Result> {
    try {
      return await send(`Bearer ${await token()}`);
    } catch (error) {
      if (problemOf(error).type !== 'unauthorized') throw error;
      dropToken();
      return send(`Bearer ${await token()}`);
    }
  }

  return {
    loadImage: (imageId, { size, signal }) =>
      withToken(async (authorization) => {
        const url = `${imagesUrl}/${imageId}?size=${size}`;
        const answer = await fetch(url, { headers: { Authorization: authorization }, signal: signal ?? null }).catch(
          asUnreachable,
        );
        if (!answer.ok) throw refusal(answer.status, await answer.text());
        return answer.blob();
      }),
    async uploadImage(file, upload) {
      if (await isHeic(file)) {
        throw new PictureError(
          t`This photo has the format HEIC`,
          t`Most browsers can’t show HEIC. Save the photo as JPEG and choose that file; on an iPhone, Settings › Camera › Formats › Most Compatible takes JPEG photos.`,
        );
      }
      return withToken((authorization) => send(file, { ...upload, authorization }));
    },
  };
}

/** Returns whether a file is a photo as iPhones store it, whatever it is called: its first box has such a brand. */
async function isHeic(file: Blob): Promise<boolean> {
  const start = new TextDecoder('latin1').decode(await file.slice(0, 12).arrayBuffer());
  return /^[^]{4}ftyp(?:he..|mif1|msf1)$/.test(start);
}

/** Uses `XMLHttpRequest`, as `fetch` does not report how much of a body was sent. */
function send(
  file: Blob,
  { kind, onProgress, signal, authorization }: ImageUpload & { authorization: string },
): Promise<UploadedImage> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', `${imagesUrl}?kind=${kind}`);
    request.setRequestHeader('Authorization', authorization);
    request.setRequestHeader('Content-Type', file.type);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => {
      if (request.status === 201) resolve((JSON.parse(request.responseText) as { data: UploadedImage }).data);
      else reject(refusal(request.status, request.responseText));
    });
    request.addEventListener('error', () => reject(new UnreachableError(t`The image could not be sent`)));
    request.addEventListener('abort', () => reject(new DOMException(t`The upload was canceled`, 'AbortError')));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) reject(new DOMException(t`The upload was canceled`, 'AbortError'));
    else request.send(file);
  });
}

function asUnreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  throw new UnreachableError(t`The image could not be loaded`, { cause: error });
}

/** Returns the error of a response, from the service or from a proxy in front of it. */
function refusal(status: number, text: string): Error {
  try {
    const { error } = JSON.parse(text) as { error: ErrorData };
    return new RefusedError(error);
  } catch {
    if (status >= 500) return new UnreachableError(`The service answered ${status}`);
    const type = status === unauthorizedStatus ? 'unauthorized' : 'internal_error';
    return new RefusedError({ type, title: t`Something went wrong`, detail: `The service answered ${status}` });
  }
}
