import { isoOrNull } from '../../domain/common/instants.ts'
import { decideDelivery } from '../../domain/deliveries/decision.ts'
import { describeDelivery } from '../../domain/deliveries/view.ts'
import type { DeliveryActivities, DeliveryProgress } from '../../schemas/deliveries/process.ts'
import type { DeliveryReading } from '../../schemas/deliveries/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecordDeps, Rows } from '../database/database.ts'
import { getSession } from '../sessions/records.ts'
import type { ReadArticleDelivery } from './article-reader.ts'
import type { ReadPullRequestDelivery } from './pull-request-reader.ts'
import { findTracked, lockTracked, recordReading, type TrackedDelivery } from './records.ts'
import { sessionProposal } from './track.ts'

export interface DeliveryStepDeps extends RecordDeps {
  readPullRequestDelivery: ReadPullRequestDelivery
  readArticleDelivery: ReadArticleDelivery
}

const progressOf = (delivery: TrackedDelivery): DeliveryProgress => ({
  state: delivery.state,
  nextReadAt: delivery.endedAt === null ? isoOrNull(delivery.nextReadAt) : null,
  details: describeDelivery(delivery),
  isOver: delivery.endedAt !== null,
})

/** Readings of what paid sessions delivered. */
export const createDeliverySteps = ({
  database,
  clock,
  readPullRequestDelivery,
  readArticleDelivery,
}: DeliveryStepDeps): DeliveryActivities => {
  const readPullRequest = async (rows: Rows, sessionId: string): Promise<DeliveryReading> => {
    const pull = await rows.selectFrom('pull_request').selectAll().where('sessionId', '=', sessionId).executeTakeFirst()
    if (pull === undefined) return { ok: false, failure: 'submission_not_known' }
    const { host, repo, number, url, firstState } = pull
    const [owner = '', name = ''] = repo.split('/')
    return readPullRequestDelivery({ host, owner, repo: name, number, url }, firstState?.repoId ?? null)
  }

  const readArticle = async (rows: Rows, sessionId: string): Promise<DeliveryReading> => {
    const proposal = sessionProposal(await getSession(rows, sessionId))
    return proposal === null ? { ok: false, failure: 'submission_not_known' } : readArticleDelivery(proposal)
  }

  return {
    readDelivery: async ({ sessionId }) => {
      const { rows } = database
      const tracked = await findTracked(rows, sessionId)
      if (tracked === null) throw new ServiceError('session_not_found', { details: { sessionId } })
      if (tracked.endedAt !== null) return progressOf(tracked)
      const reading = await (tracked.kind === 'pull_request' ? readPullRequest(rows, sessionId) : readArticle(rows, sessionId))
      return database.transaction(async (locked) => {
        const before = await lockTracked(locked, sessionId)
        // Another reading ended it meanwhile.
        if (before === null || before.endedAt !== null) return progressOf(before ?? tracked)
        const now = clock.now()
        return progressOf(await recordReading(locked, before, { reading, decision: decideDelivery(before, reading, now), now }))
      })
    },
  }
}

/** Reads a delivery at once, for a caller that waits; false for a session whose delivery is not tracked. */
export const createTrackedReader = (deps: DeliveryStepDeps) => {
  const { readDelivery } = createDeliverySteps(deps)
  return async (sessionId: string): Promise<boolean> => {
    if ((await findTracked(deps.database.rows, sessionId)) === null) return false
    await readDelivery({ sessionId })
    return true
  }
}
