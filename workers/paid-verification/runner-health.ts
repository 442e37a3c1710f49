import type { SandboxProbe } from '../../schemas/sandbox/spec.ts'
import { type ListeningServer, listen } from '../observability/listen.ts'

/** What a runner says of itself. */
export interface RunnerHealth {
  /** Null before the first probe of the sandbox. */
  sandbox: SandboxProbe | null
  /** Whether it takes work. */
  isPolling: boolean
}

/**
 * Serves the health of a runner: `GET /health/live` is 200 while the process answers, `GET /health` is 200 while it takes work and 503 with
 * the reason otherwise. Rejects when the port is taken.
 */
export const startRunnerHealth = ({ host, port }: { host: string; port: number }, read: () => RunnerHealth): Promise<ListeningServer> =>
  listen({ host, port }, ({ method, url }, response) => {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      response.end(method === 'HEAD' ? undefined : JSON.stringify(body))
    }
    const [path] = (url ?? '').split('?')
    if (path !== '/health' && path !== '/health/live') return send(404, { code: 'not_found' })
    if (method !== 'GET' && method !== 'HEAD') return send(405, { code: 'method_not_allowed' })
    const { sandbox, isPolling } = read()
    if (path === '/health/live') return send(200, { status: 'ok' })
    const reason = sandbox === null ? 'The sandbox is being tried.' : sandbox.ok ? 'It does not poll yet.' : sandbox.reason
    return isPolling ? send(200, { status: 'ok', sandbox }) : send(503, { status: 'unavailable', reason })
  })
