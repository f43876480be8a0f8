import express, { type Request, type Response } from 'express';
import pg from 'pg';
import { statements } from './baseline-sql.js';

/** The baseline's options when it is forked; it replies with its port. */
export type BaselineOrder = {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly orgId: number;
};

type Row = Record<string, unknown>;

/**
 * Runs what a good engineer would write in an afternoon with Express and node-postgres, without authentication,
 * validation and logging: simple prepared statements for one organization, answered with the same bytes.
 */
export async function serveBaseline({ databaseUrl, poolSize, orgId }: BaselineOrder): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const handlers = createHandlers(pool, orgId);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(express.json({ type: ['application/json', 'application/merge-patch+json'] }));
  app.get('/api/v1/assets/:id', handlers.find);
  app.get('/api/v1/assets', handlers.list);
  app.get('/api/v1/reports/asset-locations', handlers.report);
  app.get('/api/v1/assets/:id/history', handlers.history);
  app.post('/api/v1/assets', handlers.create);
  app.patch('/api/v1/assets/:id', handlers.change);
  return new Promise((resolve, reject) => {
    const server = app.listen(0, '127.0.0.1', (error) => {
      const address = server.address();
      if (error || typeof address !== 'object' || !address) reject(error ?? new Error('no port'));
      else resolve(address.port);
    });
  });
}

type Page = { data: Promise<Row[]>; count: Promise<Row[]>; paging: readonly [number, number] };

function createHandlers(pool: pg.Pool, orgId: number) {
  async function rows(name: keyof typeof statements, ...values: unknown[]): Promise<Row[]> {
    return (await pool.query<Row>({ name, text: statements[name], values: [orgId, ...values] })).rows;
  }

  /** Reads the page and its count at the same time, on two connections. */
  async function sendPage(response: Response, { data, count, paging }: Page): Promise<void> {
    const [found, [counted]] = await Promise.all([data, count]);
    response.json({ data: found, limit: paging[0], offset: paging[1], total_count: counted?.['total_count'] });
  }

  return {
    async find(request: Request, response: Response) {
      const [data] = await rows('find', request.params['id']);
      response.json({ data });
    },
    async list(request: Request, response: Response) {
      const paging = pagingOf(request);
      const { q } = request.query as { q?: string };
      if (q !== undefined) {
        const pattern = `%${q}%`;
        const count = rows('countFound', pattern);
        return sendPage(response, { data: rows('search', pattern, ...paging), count, paging });
      }
      // Two baselines in one: one counts, the other uses the kept counts.
      const count = rows(request.headers['x-count'] === 'kept' ? 'keptCount' : 'count');
      return sendPage(response, { data: rows('list', ...paging), count, paging });
    },
    async report(request: Request, response: Response) {
      const paging = pagingOf(request);
      return sendPage(response, { data: rows('report', ...paging), count: rows('countReport'), paging });
    },
    async history(request: Request, response: Response) {
      const paging = pagingOf(request);
      const { id } = request.params;
      return sendPage(response, { data: rows('history', id, paging[0]), count: rows('countHistory', id), paging });
    },
    async create(request: Request, response: Response) {
      const made = await createAsset(pool, orgId, request.body as CreateBody);
      response
        .status(201)
        .location(`/api/v1/assets/${String(made?.['id'])}`)
        .json({ data: made });
    },
    async change(request: Request, response: Response) {
      const { name, description } = request.body as Row;
      const [data] = await rows('change', request.params['id'], name, description);
      response.json({ data });
    },
  };
}

function pagingOf({ query }: Request): [number, number] {
  return [Number(query['limit'] ?? 50), Number(query['offset'] ?? 0)];
}

type CreateBody = { name: string; description: string; metadata: Row; tags: { tag_type: string; value: string }[] };

async function createAsset(pool: pg.Pool, orgId: number, body: CreateBody): Promise<Row | undefined> {
  const { name, description, metadata, tags } = body;
  const types = tags.map((tag) => tag.tag_type);
  const values = tags.map((tag) => tag.value);
  const given = [orgId, name, description, metadata, types, values];
  const made = await pool.query<Row>({ name: 'create', text: statements.create, values: given });
  return made.rows[0];
}
