# One file, three images: `docker build --target api .`, and `worker` and `backup` in the same way.
# Debian 13 for its LibreOffice 25.2, the version that the conversion tests run against.
# To build from bytes that you have checked: `--build-arg NODE_IMAGE=node:24.20.0-trixie-slim@sha256:…`
ARG NODE_IMAGE=node:24.20.0-trixie-slim
# The server of the compose file: its pg_dump makes the backups.
ARG POSTGRES_IMAGE=postgres:18.4-bookworm
FROM ${NODE_IMAGE} AS base

FROM base AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/einvoice/package.json packages/einvoice/
COPY packages/layout/package.json packages/layout/
COPY packages/word/package.json packages/word/
RUN npm ci --omit=dev --workspace=packages/einvoice --workspace=packages/layout --workspace=packages/word --include-workspace-root --no-audit --no-fund

FROM base AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/cli/package.json clients/cli/
COPY clients/typescript clients/typescript
COPY packages packages
COPY src/console/package.json src/console/
RUN npm ci --workspace=src/console --workspace=packages/einvoice --workspace=packages/layout --workspace=packages/word --include-workspace-root --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/copy-assets.mjs scripts/copy-assets.mjs
COPY src src
COPY ARCHITECTURE.md CHANGELOG.md SECURITY.md ./
COPY docs docs
COPY examples/gallery examples/gallery
COPY tools/console tools/console
COPY tools/notices tools/notices
COPY tools/site tools/site
RUN npm run build

# Node.js alone runs the service: npm and its relatives stay out.
FROM base AS runtime
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* /opt/yarn* /usr/local/lib/node_modules \
    /usr/local/bin/corepack /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/yarn /usr/local/bin/yarnpkg
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY scripts/start scripts/own-source-maps.mjs scripts/
COPY drizzle drizzle
ENV NODE_ENV=production \
  METRICS_HOST=0.0.0.0 \
  METRICS_PORT=9464
EXPOSE 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]

FROM runtime AS worker
# The build fails when Debian offers another series than the one that the tests run against.
ARG OFFICE_VERSION=25.2
# `--build-arg FONTS=""` leaves out the fonts for scripts other than Latin, Greek and Cyrillic (150 MB): see docs/guides/fonts.md
ARG FONTS="fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji"
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    bubblewrap \
    fonts-crosextra-caladea \
    fonts-crosextra-carlito \
    fonts-dejavu-core \
    fonts-liberation \
    $FONTS \
    libjemalloc2 \
    libreoffice-math-nogui \
    libreoffice-writer-nogui \
    python3-uno \
  && dpkg-query --show --showformat='${Version}' libreoffice-writer-nogui | grep --extended-regexp "^([0-9]+:)?$OFFICE_VERSION\." \
  && rm -rf /var/lib/apt/lists/*
COPY deploy/worker-seccomp.json deploy/
# LibreOffice without its jail is for development only.
ENV OFFICE_JAIL=required
USER node
CMD ["scripts/start", "worker"]

# Backups and restores. pg_dump must not be older than the server, so the programs are those of the server's image.
FROM ${POSTGRES_IMAGE} AS backup
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libstdc++6 tini \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir --mode=700 /backups \
  && chown 1000:1000 /backups
COPY --from=base /usr/local/bin/node /usr/local/bin/
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY scripts/backup scripts/restore scripts/
COPY drizzle drizzle
ENV NODE_ENV=production
USER 1000:1000
ENTRYPOINT ["tini", "--"]
CMD ["scripts/backup", "/backups"]

FROM runtime AS api
ENV HOST=0.0.0.0 \
  PORT=3000
EXPOSE 3000
USER node
CMD ["scripts/start", "api"]
