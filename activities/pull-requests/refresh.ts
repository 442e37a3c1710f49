import type { PullRequestReading } from '../../schemas/pull-requests/record.ts'
import type { Clock } from '../common/clock.ts'
import type { Database } from '../database/database.ts'
import type { ReadPullRequest } from './reader.ts'
import { endDelivery, type OpenPullRequest, openPullRequests } from './records.ts'

/** A caller waits for this: so many are looked at, and none any more after so long. */
const MOST_LOOKS = 10
const LONGEST_MS = 5_000

/** Answers that say that a pull request is not there, as opposed to not for us. */
const ABSENT: ReadonlySet<string> = new Set(['codehost_api_404', 'codehost_api_410'])

/** How a delivery ended; null while it may still be open. One that is not there is over with its session, and not before. */
const endOf = (reading: PullRequestReading, { sessionEnded }: OpenPullRequest): 'merged' | 'closed_unmerged' | null => {
  if (reading.status === 'unavailable') return sessionEnded && ABSENT.has(reading.reason) ? 'closed_unmerged' : null
  if (reading.status !== 'verified' || reading.pull.state === 'open') return null
  return reading.pull.merged ? 'merged' : 'closed_unmerged'
}

export interface DeliveryDeps {
  database: Database
  clock: Clock
  readPullRequest: ReadPullRequest
}

/** Looks at what was delivered to repositories after its sessions have ended. */
export const createDeliveries = ({ database, clock, readPullRequest }: DeliveryDeps) => ({
  /**
   * Asks the code host about the open deliveries of a repository, oldest first, so that what was merged or closed meanwhile, or is not
   * there and was of a session that is over, no longer counts. What else cannot be read stays open.
   */
  refresh: async (repo: string): Promise<void> => {
    const began = performance.now()
    const open = await openPullRequests(database.rows, repo, clock.now())
    const [owner = '', name = ''] = repo.split('/')
    for (const delivery of open.slice(0, MOST_LOOKS)) {
      if (performance.now() - began > LONGEST_MS) return
      const { sessionId, host, number, url } = delivery
      const end = endOf(await readPullRequest({ host, owner, repo: name, number, url }), delivery)
      if (end !== null) await endDelivery(database.rows, sessionId, end)
    }
  },
})
export type Deliveries = ReturnType<typeof createDeliveries>
