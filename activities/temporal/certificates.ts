import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { type EngineConnection, secureOptionsOf } from './connection.ts'

const CONNECT_MS = 3_000
/** With TLS 1.3 a server refuses a client certificate only after the handshake. */
const REFUSAL_MS = 500
/** Failures of a server that does not answer; its certificate is not the cause. */
const OUTAGES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

const REFUSED = 'the server ended the connection after the certificates were exchanged: it does not accept the client certificate'

/** Why a TLS connection to the workflow engine fails, as one sentence; null when it succeeds, is not used, or nothing answers. */
export const findCertificateProblem = async ({ connection }: EngineConnection): Promise<string | null> => {
  const options = secureOptionsOf(connection)
  if (options === null) return null
  const { hostname, port } = new URL(`https://${connection.address}`)
  const host = hostname.replaceAll(/[[\]]/g, '')
  const { promise, resolve } = Promise.withResolvers<string | null>()
  let isSecure = false
  const socket = connect({
    host,
    port: Number(port || 443),
    ALPNProtocols: ['h2'],
    ...(isIP(host) === 0 && { servername: host }),
    ...options,
  })
  socket.setTimeout(CONNECT_MS, () => resolve(null))
  socket.once('secureConnect', () => {
    isSecure = true
    setTimeout(() => resolve(null), REFUSAL_MS)
  })
  socket.once('close', () => resolve(isSecure ? REFUSED : null))
  socket.once('error', (error: NodeJS.ErrnoException) => {
    if (OUTAGES.has(error.code ?? '')) return resolve(null)
    resolve(isSecure && error.code === 'ECONNRESET' ? REFUSED : error.message)
  })
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
