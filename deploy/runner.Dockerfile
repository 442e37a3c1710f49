# The runner: the image of the service with a sandbox for programs of strangers, and the git that applies their patches.
#   docker build -f deploy/runner.Dockerfile --build-arg SERVICE=agent-work-service:dev -t agent-work-runner:dev deploy
# Its container must be allowed what bubblewrap does: namespaces, mounts and a /proc of its own. docs/operations.md, Runner.
ARG SERVICE=agent-work-service:dev
FROM ${SERVICE}
USER 0:0
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap git \
 && rm -rf /var/lib/apt/lists/*
USER 1000:1000
ENV RUNNER_HEALTH_PORT=8794
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.RUNNER_HEALTH_PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "workers/runner.ts"]
