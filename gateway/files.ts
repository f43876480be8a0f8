import type { IncomingMessage } from 'node:http';
import {
  type Actor,
  authorizePerson,
  ContractError,
  type Core,
  type ImageContent,
  imageKindNames,
  imageMediaTypes,
  uploadBytesMax,
  validationError,
} from '../server/index.js';
import {
  BodyTooLargeError,
  createBodyMemories,
  isDeclaredTooLarge,
  mediaTypeOf,
  readBody,
  requirePlainEncoding,
  tooManyBodies,
} from './http-body.js';
import type { Admission } from './admission.js';
import type { Exchange } from './exchange.js';
import { parseQuery } from './query-string.js';
import { sendJson } from './rest/respond.js';
import type { Route } from './routes.js';
import type { UnsentAnswers } from './unsent-answers.js';
import { securityHeaders } from './web-headers.js';

const imagesPath = '/files/images';
/** Memory for the uploads of one organization, from their first byte until they are stored. */
const uploadMemoryBytesMax = 3 * uploadBytesMax;
/** Entity tags of an `If-None-Match` header that are compared. */
const tagsMax = 10;
/** Keeps a file that is opened as a document from running or loading anything. */
const filePolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

export type FilesOptions = { core: Core; admission: Admission; unsent: UnsentAnswers; https: boolean };

/**
 * Creates the routes of images, which the app uses: `POST /files/images?kind=plan` stores an image, `GET
 * /files/images/{image_id}` returns it as WebP, with `?size=thumbnail` a small one. Callers need a session token.
 * Credentials, budgets, bodies and errors are as in the public API, except that a body can have 10 MiB regardless of
 * `MAX_BODY_BYTES`.
 */
export function filesRoutes({ core, admission, unsent, https }: FilesOptions): Route[] {
  const common = { ...securityHeaders({ https }), 'Content-Security-Policy': filePolicy };
  const memoryOf = createBodyMemories(uploadMemoryBytesMax);

  return [
    { method: 'POST', path: imagesPath, answer: admitted(upload) },
    { method: 'GET', path: `${imagesPath}/{image_id}`, answer: admitted(download) },
  ];

  function admitted(answer: Answer): Route['answer'] {
    return async (exchange) => {
      const { response } = exchange;
      for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
      response.setHeader('Cache-Control', 'no-store');
      exchange.namesReasons = true;
      const actor = await admission.caller(exchange);
      unsent.requireSpace(actor);
      await answer(exchange, actor);
      unsent.hold(actor, response, 0);
    };
  }

  function filesOf({ requestId, clientAddress, presence }: Exchange, actor: Actor) {
    return core.callFiles(core.contextFor({ actor, requestId, clientAddress, presence }));
  }

  async function upload(exchange: Exchange, actor: Actor): Promise<void> {
    const { request, response } = exchange;
    // The procedure checks the same; here it saves reading the body.
    const { orgId } = authorizePerson(actor, 'manager');
    requireImageType(request);
    requirePlainEncoding(request, response);
    if (isDeclaredTooLarge(request, uploadBytesMax)) throw new BodyTooLargeError(uploadBytesMax);
    const kind = choiceOf(exchange, { name: 'kind', choices: imageKindNames });
    if (kind === undefined) {
      throw validationError([{ field: 'kind', code: 'required', message: 'kind is required' }]);
    }
    const memory = memoryOf(orgId);
    const bounds = { bytesMax: uploadBytesMax, memory, beforeRead: exchange.sendContinue };
    const bytes = await readBody(request, bounds);
    const hasMemory = memory.add(bytes.length);
    try {
      if (!hasMemory) throw tooManyBodies();
      if (bytes.length === 0) throw new ContractError('bad_request', 'Request body is empty');
      const store = () => filesOf(exchange, actor).uploadImage({ bytes, kind });
      const data = await core.process(orgId, store, exchange.presence);
      response.setHeader('Location', `${imagesPath}/${data.id}`);
      sendJson(exchange, 201, { data });
    } finally {
      memory.release(bytes.length);
    }
  }

  async function download(exchange: Exchange, actor: Actor): Promise<void> {
    const size = choiceOf(exchange, { name: 'size', choices: ['full', 'thumbnail'] });
    const etags = tagsOf(exchange.request.headers['if-none-match']);
    const { image_id: imageId = '' } = exchange.pathParameters;
    const input = { image_id: /^\d{1,10}$/.test(imageId) ? Number(imageId) : Number.NaN, etags, ...(size && { size }) };
    const read = () => filesOf(exchange, actor).imageContent(input);
    sendImage(exchange, await core.process(actor.kind === 'none' ? null : actor.orgId, read, exchange.presence));
  }
}

type Answer = (exchange: Exchange, actor: Actor) => Promise<void>;

/** Sends an image. Browsers revalidate each time, since another user may have signed in; the answer is usually 304. */
function sendImage({ request, response }: Exchange, { etag, content }: ImageContent): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', 'Authorization');
  response.setHeader('ETag', `"${etag}"`);
  if (content === null) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'image/webp');
  response.setHeader('Content-Disposition', 'inline; filename="image.webp"');
  response.setHeader('Content-Length', content.length);
  response.end(request.method === 'HEAD' ? undefined : content);
}

/** Returns the first entity tags of an `If-None-Match` header, without their quotes (RFC 9110, 13.1.2). */
function tagsOf(ifNoneMatch: string | undefined): string[] {
  return Array.from((ifNoneMatch ?? '').matchAll(/"([\x21\x23-\x7e]{1,64})"/g), ([, tag = '']) => tag).slice(
    0,
    tagsMax,
  );
}

function requireImageType(request: IncomingMessage): void {
  const given = mediaTypeOf(request);
  if (imageMediaTypes.some((type) => type === given)) return;
  throw new ContractError('unsupported_media_type', `Content-Type must be ${imageMediaTypes.join(', ')}`);
}

/** Returns the only parameter of a path, undefined if it is missing. */
function choiceOf<Choice extends string>(
  { rawQuery }: Exchange,
  { name, choices }: { name: string; choices: readonly Choice[] },
): Choice | undefined {
  const parameters = parseQuery(rawQuery);
  for (const key of parameters.keys()) {
    if (key !== name)
      throw validationError([{ field: key, code: 'unknown_field', message: `unknown parameter: ${key}` }]);
  }
  const values = parameters.get(name);
  if (values === undefined) return undefined;
  const choice = choices.find((one) => values.length === 1 && one === values[0]);
  if (choice !== undefined) return choice;
  throw validationError([
    { field: name, code: 'invalid_value', message: `${name} must be one of: ${choices.join(', ')}` },
  ]);
}
