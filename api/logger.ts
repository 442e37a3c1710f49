import pino, { type DestinationStream, type Logger } from 'pino'

const SECRET_NAMES = ['authorization', 'token', 'signature', 'privateKey', 'key', 'secret', 'jwt', 'cookie']
const paths = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** Structured log of the API. Secrets are removed by name wherever they might stand. */
export const createLogger = (level: string, destination?: DestinationStream): Logger => {
  const options = { level, redact: { paths, censor: '[removed]' }, base: { service: 'api' } }
  return destination === undefined ? pino(options) : pino(options, destination)
}
