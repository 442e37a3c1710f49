import { fstatSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** Bytes that wait for a reader who takes none; lines beyond them are lost. */
const MAX_WAITING_BYTES = 1_048_576

let lost = 0

/** Number of log lines that this process could not write. */
export const lostLogLines = (): number => lost

/** A file or terminal takes each line at once. After a line that was cut, the next one begins on a line of its own. */
const fileWriter = (fd: number) => {
  let isTorn = false
  return (line: string): void => {
    const bytes = Buffer.from(isTorn ? `\n${line}` : line)
    let written = 0
    try {
      written = writeSync(fd, bytes)
    } catch {
      // Counted below.
    }
    if (written < bytes.length) lost += 1
    isTorn = written === 0 ? isTorn : written < bytes.length
  }
}

/** A pipe is written without blocking: its reader may be slow or gone. */
const pipeWriter = (fd: number) => {
  const socket = new Socket({ fd, readable: false, writable: true })
  socket.on('error', () => socket.destroy())
  socket.unref()
  return (line: string): void => {
    if (socket.destroyed || socket.writableLength > MAX_WAITING_BYTES) lost += 1
    else
      socket.write(line, (error) => {
        if (error) lost += 1
      })
  }
}

/** Where a log goes. A line that cannot be written is dropped and counted: it never stops the service, nor its end. */
export const createLogSink = (fd: number): { write(line: string): void } => {
  const status = fstatSync(fd)
  return { write: status.isFIFO() || status.isSocket() ? pipeWriter(fd) : fileWriter(fd) }
}
