import { defineConfig } from 'prisma/config';

/** Where Prisma's own tools find the schema; the service itself reads `server/kernel/settings.ts`. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
});
