// The fleet of the crash runs: traps in every service, and one look at the workflow engine.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import type { Member } from '../support/fleet.ts'
import { openFleet } from '../support/fleet-world.ts'

const PRELOAD = new URL('./preload.ts', import.meta.url)

const trapsIn = (dir: string): string => join(dir, 'traps')

/** Address of the module for one service. It is loaded before anything else of that service. */
const preload = ({ name, dir }: { name: string; dir: string }): string => {
  const address = new URL(PRELOAD)
  address.searchParams.set('dir', trapsIn(dir))
  address.searchParams.set('name', name)
  return address.href
}

export type CrashWorld = Awaited<ReturnType<typeof openCrashWorld>>

/** Two doors and two workers on one infrastructure. */
export const openCrashWorld = async () => {
  const world = await openFleet({ apis: 2, workers: 2, preload })
  const traps = trapsIn(world.dir)
  mkdirSync(traps)
  const connection = Connection.lazy({ address: world.temporalAddress })
  const parts: Member[] = [world.postgres, world.temporal, world.chain]
  const services: Member[] = [...world.apis, ...world.workers]
  return {
    ...world,
    traps,
    engine: new Client({ connection }),
    parts,
    services,
    close: async () => {
      await connection.close()
      await world.close()
    },
  }
}
