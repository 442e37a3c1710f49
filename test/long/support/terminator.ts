import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { createServer, type Server } from 'node:tls'
import type { Certificate } from './certificates.ts'

/** Ends TLS in front of a server that speaks plain HTTP/2, and demands a certificate of the authority. */
export const startTerminator = async (
  { cert, key }: Certificate,
  authority: string,
  target: string,
): Promise<{ address: string; close: () => void }> => {
  const [host, port] = target.split(':')
  const options = { cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(authority), ALPNProtocols: ['h2'] }
  const terminator: Server = createServer({ ...options, requestCert: true, rejectUnauthorized: true }, (inside) => {
    const outside = connect(Number(port), host)
    inside.on('error', () => outside.destroy())
    outside.on('error', () => inside.destroy())
    inside.pipe(outside).pipe(inside)
  })
  terminator.listen(0, '127.0.0.1')
  await once(terminator, 'listening')
  return { address: `127.0.0.1:${(terminator.address() as AddressInfo).port}`, close: () => terminator.close() }
}
