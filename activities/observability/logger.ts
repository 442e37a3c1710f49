import { trace } from '@opentelemetry/api'
import pino, { type DestinationStream, type Logger } from 'pino'
import { createLogSink } from './log-sink.ts'

const STANDARD_OUTPUT = 1

const SECRET_NAMES = ['authorization', 'token', 'signature', 'privateKey', 'key', 'secret', 'jwt', 'cookie', 'rawTransaction']
const paths = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** The trace that a line belongs to, if there is one. */
const mixin = (): object => {
  const span = trace.getActiveSpan()
  return span === undefined ? {} : { traceId: span.spanContext().traceId }
}

/** Structured log of a process, on standard output by default. Fields with the names of secrets are redacted. */
export const createServiceLogger = (
  service: 'api' | 'worker' | 'runner' | 'recover',
  level: string,
  destination?: DestinationStream,
): Logger => {
  const sink = destination ?? createLogSink(STANDARD_OUTPUT)
  return pino({ level, redact: { paths, censor: '[removed]' }, base: { service }, mixin }, sink)
}
