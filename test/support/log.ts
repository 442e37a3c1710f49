import { Writable } from 'node:stream'
import { createServiceLogger } from '../../activities/observability/logger.ts'

interface LogLine {
  level: number
  msg: string
  [name: string]: unknown
}

/** A real log of a process, kept line by line. */
export const collectLog = () => {
  const lines: LogLine[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as LogLine)
      done()
    },
  })
  return { logger: createServiceLogger('worker', 'debug', sink), lines }
}
