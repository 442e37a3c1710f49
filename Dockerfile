# One image for every process of the service but the runner, and for the commands of operators; the command says which.
#   docker build -t agent-work-service .          npm run image does the same, also where no Docker is
#   docker run … agent-work-service                                                      the API
#   docker run … --no-healthcheck agent-work-service node workers/worker.ts              a worker
#   docker run … --no-healthcheck agent-work-service node console/main.ts                the console
#   docker run … --no-healthcheck agent-work-service node migrations/migrate.ts          a command: migrations/migrate.ts,
#     workers/{setup,versions,keys,nonce,audit,rebuild}.ts and contracts/deployment/cli.ts
# It runs as user id 1000 with a read-only root: the service writes no file, and only Node itself may want a /tmp.
# docs/deployment.md has the steps from nothing to a running service.

# To pin the content too, put the digest behind the tag: --build-arg BASE=node:24.21.0-bookworm-slim@sha256:…
ARG BASE=node:24.21.0-bookworm-slim

FROM ${BASE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# No install scripts: the native parts of the worker come ready-made, and the only script that fetches something brings a second Node.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && npm cache clean --force

FROM dependencies AS bundle
COPY schemas schemas
COPY domain domain
COPY workflows workflows
COPY workers workers
RUN node workers/temporal/bundle.ts build/workflows.js

# The client of the console; its list of operations is printed from the registry.
FROM dependencies AS client
COPY schemas schemas
COPY domain domain
COPY activities activities
COPY pages pages
COPY api api
COPY client client
RUN node client/generate/main.ts

FROM ${BASE}
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=4 \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    PORT=8787 \
    WORKFLOW_BUNDLE=/app/build/workflows.js
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=bundle /app/build build
COPY --from=client /app/client/src client/src
COPY package.json ./
COPY schemas schemas
COPY domain domain
COPY activities activities
COPY workflows workflows
COPY workers workers
COPY migrations migrations
COPY pages pages
COPY api api
COPY console console
# Deploys, funds and checks the contracts; their compiled code is part of it.
COPY contracts contracts
# The page /verify serves these files.
COPY examples/verify-record examples/verify-record

# A name of the build for operators, beside the version in package.json; with WORKER_DEPLOYMENT also the version of a worker.
ARG BUILD_ID=
ENV BUILD_ID=${BUILD_ID}

# By number, so that a platform can see that it is not root. Secrets come as files or settings of a container, never into a layer.
USER 1000:1000
EXPOSE 8787 8793
STOPSIGNAL SIGTERM
# For the API; the other processes are started with --no-healthcheck.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "api/main.ts"]
