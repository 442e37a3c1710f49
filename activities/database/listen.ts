import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverClient } from './driver.ts'

const RETRY_MS = 200

/**
 * Listens to a channel on a connection of its own, which is opened again when it is lost. `wake` runs at every notification, and at every new
 * connection, since notifications may have been missed before. Returns a function that stops it.
 */
export const listenTo = (open: () => Promise<DriverClient>, channel: string, wake: () => void): (() => void) => {
  const stopped = Promise.withResolvers<void>()
  let isStopped = false
  const listenOnce = async (): Promise<void> => {
    const client = await open()
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', wake)
    try {
      const error = await new Promise<Error | null | undefined>((resolve) => client.connect(resolve))
      if (error) throw error
      await client.query(`listen ${channel}`)
      wake()
      await Promise.race([lost, stopped.promise])
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  const run = async (): Promise<void> => {
    while (!isStopped) {
      await listenOnce().catch(() => undefined)
      if (!isStopped) await sleep(RETRY_MS, undefined, { ref: false })
    }
  }
  void run()
  return () => {
    isStopped = true
    stopped.resolve()
  }
}
