import type { PullRequestReading } from '../../schemas/pull-requests/record.ts'
import { isAbsent } from '../codehost/paths.ts'
import type { RecordDeps } from '../database/database.ts'
import type { ReadPullRequest } from './reader.ts'
import { endDelivery, type OpenPullRequest, openPullRequests } from './records.ts'

/** Limits, because a caller waits: number of requests and total time. */
const MAX_REQUESTS = 10
const MAX_TOTAL_MS = 5_000

/** How a delivery ended; null while it may be open. A missing pull request counts as closed only after its session ended. */
const endOf = (reading: PullRequestReading, { sessionEnded }: OpenPullRequest): 'merged' | 'closed_unmerged' | null => {
  if (reading.status === 'unavailable') return sessionEnded && isAbsent(reading) ? 'closed_unmerged' : null
  if (reading.status !== 'verified' || reading.pull.state === 'open') return null
  return reading.pull.merged ? 'merged' : 'closed_unmerged'
}

export interface DeliveryDeps extends RecordDeps {
  readPullRequest: ReadPullRequest
  /** Reads the delivery of paid work and records what became of it; false for one that is not tracked. */
  readTracked: (sessionId: string) => Promise<boolean>
}

/** Updates deliveries after their sessions have ended. */
export const createDeliveries = ({ database, clock, readPullRequest, readTracked }: DeliveryDeps) => ({
  /**
   * Reads the open deliveries of a repository from the code host, oldest first, and records the merged and closed ones. Deliveries that cannot
   * be read stay open, except missing ones of ended sessions.
   */
  refresh: async (repo: string): Promise<void> => {
    const began = performance.now()
    const open = await openPullRequests(database.rows, repo, clock.now())
    const [owner = '', name = ''] = repo.split('/')
    for (const delivery of open.slice(0, MAX_REQUESTS)) {
      if (performance.now() - began > MAX_TOTAL_MS) return
      const { sessionId, host, number, url } = delivery
      if (await readTracked(sessionId)) continue
      const end = endOf(await readPullRequest({ host, owner, repo: name, number, url }), delivery)
      if (end !== null) await database.transaction((rows) => endDelivery(rows, sessionId, end, clock.now()))
    }
  },
})
export type Deliveries = ReturnType<typeof createDeliveries>
