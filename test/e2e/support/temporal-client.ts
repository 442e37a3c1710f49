import { Client, Connection } from '@temporalio/client'
import { useStarted } from '../../support/started.ts'
import type { World } from './world.ts'

/** A client of the Temporal server of a stack, for the tests of a file. */
export const useTemporalClient = (world: () => Pick<World, 'info'>): Client =>
  useStarted(
    async () => new Client({ connection: await Connection.connect({ address: world().info.temporalAddress }) }),
    ({ connection }) => connection.close(),
  )
