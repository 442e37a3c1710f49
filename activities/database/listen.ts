import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverClient } from './driver.ts'

const RETRY_MS = 200

/** Gets the payload of a notification; null when some may have been missed. */
export type Wake = (payload: string | null) => void

/**
 * Listens to a channel on a connection of its own, which is opened again when it is lost. `wake` gets the payload of every notification, and
 * null at every new connection, since notifications may have been missed before. Returns a function that stops it.
 */
export const listenTo = (open: () => Promise<DriverClient>, channel: string, wake: Wake): (() => void) => {
  const stopped = Promise.withResolvers<void>()
  let isStopped = false
  const listenOnce = async (): Promise<void> => {
    const client = await open()
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', ({ payload }) => wake(payload ?? ''))
    try {
      const error = await new Promise<Error | null | undefined>((resolve) => client.connect(resolve))
      if (error) throw error
      await client.query(`listen ${channel}`)
      wake(null)
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
