import type { Clock } from '../clock.ts'
import type { Database } from '../records/database.ts'
import { endDelivery, openPullRequests } from '../records/pull-requests.ts'
import type { ReadPullRequest } from './pull-requests.ts'

/** A caller waits for this: so many are looked at, and none any more after so long. */
const MOST_LOOKS = 10
const LONGEST_MS = 5_000

export interface DeliveryDeps {
  database: Database
  clock: Clock
  readPullRequest: ReadPullRequest
}

/** Looks at what was delivered to repositories after its sessions have ended. */
export const createDeliveries = ({ database, clock, readPullRequest }: DeliveryDeps) => ({
  /**
   * Asks the code host about the open deliveries of a repository, oldest first, so that what was merged or closed meanwhile no longer
   * counts. What cannot be read stays open.
   */
  refresh: async (repo: string): Promise<void> => {
    const began = performance.now()
    const open = await openPullRequests(database.rows, repo, clock.now())
    for (const { sessionId, host, number, url } of open.slice(0, MOST_LOOKS)) {
      if (performance.now() - began > LONGEST_MS) return
      const [owner = '', name = ''] = repo.split('/')
      const reading = await readPullRequest({ host, owner, repo: name, number, url })
      if (reading.status !== 'verified' || reading.pull.state === 'open') continue
      await endDelivery(database.rows, sessionId, reading.pull.merged ? 'merged' : 'closed_unmerged')
    }
  },
})
export type Deliveries = ReturnType<typeof createDeliveries>
