import type { Database } from '../../../activities/database/database.ts'
import { useStarted } from '../../support/started.ts'
import { openOwnDatabase } from './account-world.ts'

/** A database that the tests of this file alone use. */
export const useDatabase = (): Database =>
  useStarted(
    async () => {
      const { database, close: drop } = await openOwnDatabase()
      return { ...database, drop }
    },
    ({ drop }) => drop(),
  )
