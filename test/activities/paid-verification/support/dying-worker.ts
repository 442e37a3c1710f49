// Workers that are lost at a call of their choice: before it, after it, or within a transaction of the database.
import type { ChainClients } from '../../../../activities/chain/clients.ts'
import type { Database } from '../../../../activities/database/database.ts'

/** The process is gone: everything that it would still do fails. */
class LostWorkerError extends Error {
  override readonly name = 'LostWorkerError'
}

/** Counts the calls that are left; the next one does not happen. */
const createFuse = (calls: number) => {
  let left = calls
  return (): void => {
    if (left <= 0) throw new LostWorkerError('the worker is lost')
    left -= 1
  }
}
type Burn = ReturnType<typeof createFuse>

/** The same object whose calls, and their answers, may not happen. */
const dyingObject = <T extends object>(target: T, burn: Burn): T =>
  new Proxy(target, {
    get: (held, name) => {
      const member: unknown = Reflect.get(held, name)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]): Promise<unknown> => {
        burn()
        const answer: unknown = await member.apply(held, args)
        burn()
        return answer
      }
    },
  })

/** Database and clients of a worker that makes this many calls and is lost at the next one; it waits for nothing. */
export const dyingWorker = <Deps extends { database: Database; clients: ChainClients }>(
  deps: Deps,
  calls: number,
): Deps & { pause: () => Promise<void> } => {
  const burn = createFuse(calls)
  const { database, clients } = deps
  const transaction: Database['transaction'] = async (work) => {
    burn()
    const result = await database.transaction(async (rows) => {
      const worked = await work(rows)
      burn()
      return worked
    })
    burn()
    return result
  }
  return {
    ...deps,
    database: { ...database, transaction },
    clients: { ...clients, reader: dyingObject(clients.reader, burn), writers: clients.writers.map((writer) => dyingObject(writer, burn)) },
    pause: async () => {
      burn()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
