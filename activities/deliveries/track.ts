import { DAY_MS } from '../../domain/common/instants.ts'
import { DEADLINE_DAYS } from '../../domain/deliveries/decision.ts'
import { findProposal } from '../../domain/deliveries/proposals.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import type { DeliveryState } from '../../schemas/sessions/delivery-shapes.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Clock } from '../common/clock.ts'
import type { Rows } from '../database/database.ts'
import type { TrackedDelivery } from './records.ts'

type Subject = Pick<TrackedDelivery, 'kind' | 'address' | 'state'>

/** What the code host has last shown of a pull request before its payment; everything else is still open. */
const knownState = (delivery: string): DeliveryState => (delivery === 'merged' || delivery === 'closed_unmerged' ? delivery : 'open')

/** Public address of a pinned revision on the site of the configured API. */
const revisionAddress = (apiUrl: string, language: string, revisionId: string): string =>
  `${new URL(apiUrl.replaceAll('{language}', language)).origin}/?oldid=${revisionId}`

const structuredWork = ({ submission }: SessionRecord): unknown => (submission?.kind === 'structured' ? submission.structured : null)

/** Proposal that a session delivered; null for a session that delivered none. */
export const sessionProposal = (session: SessionRecord) => findProposal(pinnedDefinition(session.jobSnapshot), structuredWork(session))

const findSubject = async (rows: Rows, session: SessionRecord, encyclopediaUrl: string): Promise<Subject | null> => {
  if (session.verifierMode === 'codehost_pr') {
    const { sessionId } = session
    // Locked: an observation of unpaid work that has begun ends first, and one that begins later finds the payment.
    const pull = await rows
      .selectFrom('pull_request')
      .select(['url', 'delivery'])
      .where('sessionId', '=', sessionId)
      .forUpdate()
      .executeTakeFirst()
    return pull === undefined ? null : { kind: 'pull_request', address: pull.url, state: knownState(pull.delivery) }
  }
  const proposal = sessionProposal(session)
  if (proposal === null) return null
  return { kind: 'edit', address: revisionAddress(encyclopediaUrl, proposal.language, proposal.revisionId), state: 'open' }
}

/**
 * Begins to track what a session delivered, in the transaction that pays it; nothing for a session without a pull request or proposal. A repeat
 * changes nothing.
 */
export const createDeliveryTracking =
  ({ settings, clock }: { settings: Pick<Settings, 'WIKIPEDIA_API_URL'>; clock: Clock }) =>
  async (rows: Rows, session: SessionRecord): Promise<void> => {
    const subject = await findSubject(rows, session, settings.WIKIPEDIA_API_URL)
    if (subject === null) return
    const { sessionId, jobId, wallet } = session
    const now = clock.now()
    await rows
      .insertInto('tracked_delivery')
      .values({
        ...{ sessionId, jobId, wallet, ...subject },
        ...{ changedAt: now, trackedSince: now, deadlineAt: now + DEADLINE_DAYS[subject.kind] * DAY_MS },
        ...{ confirmAt: null, adopted: null, nextReadAt: now, wokenAt: null, endedAt: null },
        ...{ readings: 0, failedReadings: 0, readAt: null, facts: null, failure: null },
        history: [{ state: subject.state, at: now, facts: null }],
      })
      .onConflict((conflict) => conflict.column('sessionId').doNothing())
      .execute()
  }
