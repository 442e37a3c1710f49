import pino, { type DestinationStream, type Logger } from 'pino'

const SECRET_NAMES = ['authorization', 'token', 'signature', 'privateKey', 'key', 'secret', 'jwt', 'cookie', 'rawTransaction']
const paths = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** Structured log of a process. Fields with the names of secrets are redacted. */
export const createServiceLogger = (service: 'api' | 'worker', level: string, destination?: DestinationStream): Logger => {
  return pino({ level, redact: { paths, censor: '[removed]' }, base: { service } }, destination)
}
