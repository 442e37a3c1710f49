import { findSettlementBlock } from '../../domain/pull-requests/observation.ts'
import { awaitsVerdict } from '../../domain/sessions/state-machine.ts'
import { findWaitReason } from '../../domain/verification/auto-settlement.ts'
import type { PullRequestResult, VerifierHandlerActivities } from '../../schemas/verification/process.ts'
import { findKnownRepository, isLookup, recordObservation } from '../pull-requests/records.ts'
import { getSession } from '../sessions/records.ts'
import { evaluateSession } from './evaluate.ts'
import { askedFor, findVerdict, resultOf, storeVerdict, type VerificationDeps } from './records.ts'

/** Reads the pull request of a submission and stores the observation. Source: lifecycle, "Review loop". */
export const createPullRequestChecks = ({
  database,
  clock,
  handlers,
  publicBaseUrl,
}: VerificationDeps): Pick<VerifierHandlerActivities, 'readPullRequest'> => ({
  readPullRequest: async ({ sessionId, runId, attempt, decisive, ...asker }): Promise<PullRequestResult> => {
    const name = `reading-${attempt}`
    const decided = await findVerdict(database.rows, `${runId}/${name}`)
    if (decided !== null) return resultOf(decided)
    const session = await getSession(database.rows, sessionId)
    if (!awaitsVerdict(session)) return { kind: 'ended', status: session.status }
    const evaluated = await evaluateSession(session, handlers, {
      publicBaseUrl,
      now: clock.now(),
      knownRepository: await findKnownRepository(database.rows, sessionId),
    })
    if ('unavailable' in evaluated) return { kind: 'unavailable', ...evaluated.unavailable }
    const { verdict } = evaluated
    const { outcome, reasonCode, detail, codehostLookup: lookup } = verdict
    const describeBlock = (settlementBlock: string | null) =>
      findWaitReason({ outcome, detail, status: session.status, decisive, settlementBlock })
    const observed = isLookup(lookup)
      ? await database.transaction((rows) => recordObservation(rows, { sessionId, lookup, now: clock.now() }, describeBlock))
      : { disposition: 'awaiting_evidence' as const, heldBecause: describeBlock(findSettlementBlock({ first: null, review: null }, null)) }
    if (observed.heldBecause === null)
      return resultOf(await storeVerdict(database, session, { runId, name, once: 'step' }, askedFor(verdict, asker), clock.now()))
    return { kind: 'undecided', outcome, reasonCode, detail: observed.heldBecause, disposition: observed.disposition }
  },
})
