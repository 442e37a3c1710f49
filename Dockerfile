# One image for the API, the worker and the console; the command says which.
#   docker build -t agent-work-service .
#   docker run … agent-work-service                                  the API
#   docker run … --no-healthcheck agent-work-service node workers/worker.ts
#   docker run … --no-healthcheck agent-work-service node console/main.ts
#   docker run … --no-healthcheck agent-work-service node migrations/migrate.ts

FROM node:24.21.0-bookworm-slim AS dependencies
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

FROM node:24.21.0-bookworm-slim
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
# The page /verify serves these files.
COPY examples/verify-record examples/verify-record

# A name of the build for operators, beside the version in package.json.
ARG BUILD_ID=
ENV BUILD_ID=${BUILD_ID}

USER node
EXPOSE 8787 8793
STOPSIGNAL SIGTERM
# For the API; the other processes are started with --no-healthcheck.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "api/main.ts"]
