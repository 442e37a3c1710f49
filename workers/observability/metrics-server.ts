import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { assertMetricsSecret, type MetricsAccess } from '../../activities/observability/metrics-secret.ts'
import { ERRORS, isServiceError, ServiceError } from '../../schemas/errors.ts'
import { type ListeningServer, listen } from './listen.ts'

const TEXT = 'text/plain; version=0.0.4; charset=utf-8'

export interface MetricsServerDeps extends MetricsAccess {
  port: number
  host: string
  /** Returns the page; must not reject when a dependency is down. */
  figures: () => Promise<string>
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

const answer = async ({ figures, ...access }: MetricsServerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path] = (request.url ?? '').split('?')
  if (path !== '/metrics') throw new ServiceError('not_found')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    throw new ServiceError('method_not_allowed')
  }
  assertMetricsSecret(access, request.headers.authorization)
  const page = await figures()
  response.writeHead(200, { 'content-type': TEXT, 'cache-control': 'no-cache' })
  response.end(request.method === 'HEAD' ? undefined : page)
}

const refuse = ({ logger }: MetricsServerDeps, response: ServerResponse, error: unknown): void => {
  if (!isServiceError(error)) logger.error({ err: error }, 'the metrics could not be read')
  const { code, message: detail } = isServiceError(error) ? error : new ServiceError('internal_error')
  const { status, title, retryable } = ERRORS[code]
  response.writeHead(status, { 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ type: 'about:blank', title, status, detail, code, retryable }))
}

/** Serves `GET /metrics` of a worker behind the same secret as the API's. Rejects when the port is taken. */
export const startMetricsServer = (deps: MetricsServerDeps): Promise<ListeningServer> =>
  listen(deps, (request, response) => {
    answer(deps, request, response).catch((error: unknown) => refuse(deps, response, error))
  })
