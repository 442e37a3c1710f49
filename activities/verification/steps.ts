import { HANDLER_VERSIONS } from '../../domain/catalogue/verification-contract.ts'
import { iso } from '../../domain/common/instants.ts'
import { findSettlementBlock } from '../../domain/pull-requests/observation.ts'
import { reviewEnd } from '../../domain/sessions/review-deadline.ts'
import { pinnedDefinition, verifySnapshot } from '../../domain/sessions/snapshot.ts'
import { awaitsVerdict } from '../../domain/sessions/state-machine.ts'
import { findWaitReason } from '../../domain/verification/auto-settlement.ts'
import { judgeClaim } from '../../domain/verification/outcome.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import type {
  RunResult,
  VerdictReadActivities,
  VerdictRequester,
  VerifierHandlerActivities,
  VerifierRecordActivities,
} from '../../schemas/verification/process.ts'
import type { VerdictRecord } from '../../schemas/verification/shapes.ts'
import type { Verdict } from '../../schemas/verification/verdict.ts'
import { readExpectedOutputs } from '../catalogue/expected-outputs.ts'
import type { RecordDeps } from '../database/database.ts'
import { findKnownRepository, isLookup, recordObservation } from '../pull-requests/records.ts'
import { findSession, getSession } from '../sessions/records.ts'
import { evaluateSession, verdictRecordOf } from './evaluate.ts'
import { findVerdict, latestVerdict, type StoredVerdict, storeVerdict, verdictOfRun } from './records.ts'
import type { VerifierHandlers } from './registry.ts'

interface VerificationDeps extends RecordDeps {
  handlers: VerifierHandlers
  publicBaseUrl: string
  settings: Pick<Settings, 'CODEHOST_PR_REVIEW_POLL_MINUTES'>
}

/** A verdict with its requester and the requested metadata URI. */
const askedFor = (verdict: VerdictRecord, { requestedBy, metadataURI }: VerdictRequester): VerdictRecord => ({
  ...verdict,
  requestedBy,
  ...(metadataURI !== undefined && { metadataURI }),
})

/** Result of a run for its workflow. */
const resultOf = ({ id: verdictId, outcome, reasonCode }: StoredVerdict): RunResult => ({
  kind: 'verdict',
  verdictId,
  outcome,
  reasonCode,
})

/** The verdict of a profile that had no result in its time. It judges nothing. */
const WITHOUT_RESULT = {
  handler: 'verification_profile',
  handlerVersion: HANDLER_VERSIONS.verification_profile,
  outcome: 'inconclusive',
  score: 0,
  reasonCode: 'VERIFICATION_PROFILE_WITHOUT_RESULT',
  detail: 'The profile had no result in its time. The bond returns, and the reward returns to the poster but for one base unit.',
  items: [],
} as const satisfies Verdict

const reviewRequired = (session: SessionRecord, publicBaseUrl: string, now: number): VerdictRecord => {
  const pin = verifySnapshot(session.jobSnapshot, session.jobId)
  if (session.verifierMode === 'verification_profile')
    return verdictRecordOf(session, pin.ok ? pin.definition : null, WITHOUT_RESULT, publicBaseUrl, now)
  const core = {
    handler: 'human_fallback',
    handlerVersion: HANDLER_VERSIONS.human_fallback,
    outcome: 'disputed' as const,
    score: 0,
    reasonCode: 'HUMAN_REVIEW_REQUIRED',
    detail: 'No verdict within the review time. A reviewer decides.',
    items: [],
    escalatedFrom: session.verifierMode,
  }
  return verdictRecordOf(session, pin.ok ? pin.definition : null, core, publicBaseUrl, now)
}

type Activities = VerifierHandlerActivities & VerifierRecordActivities & VerdictReadActivities

/** Steps of a verification. */
export const createVerifications = (deps: VerificationDeps): Activities => {
  const { database, clock, handlers, publicBaseUrl, settings } = deps
  return {
    loadSubject: async ({ sessionId }) => {
      const session = await getSession(database.rows, sessionId)
      const { submittedAt } = session.timestamps
      if (submittedAt === null)
        throw new ServiceError('invalid_session_transition', {
          detail: 'Nothing was submitted for this session.',
          details: { sessionId, currentStatus: session.status },
        })
      return {
        sessionId,
        jobId: session.jobId,
        wallet: session.wallet,
        chainJobId: session.chainJobId,
        verifierMode: session.verifierMode,
        title: pinnedDefinition(session.jobSnapshot).title,
        slaDeadline: iso(reviewEnd(session, submittedAt)),
        pollSeconds: settings.CODEHOST_PR_REVIEW_POLL_MINUTES * 60,
        underReview: session.status === 'disputed',
      }
    },

    evaluateSubmission: async ({ sessionId, runId, attempt, ...asker }) => {
      const decided = await verdictOfRun(database.rows, sessionId, runId)
      if (decided !== null) return resultOf(decided)
      const session = await getSession(database.rows, sessionId)
      // No verifier can change the verdict of this session any more.
      const given = awaitsVerdict(session) ? null : await latestVerdict(database.rows, sessionId)
      if (given !== null) return resultOf(given)
      const expectedOutputs = await readExpectedOutputs(database.rows, session.jobId)
      const evaluated = await evaluateSession(session, handlers, {
        ...{ publicBaseUrl, now: clock.now(), expectedOutputs },
        attemptKey: `${runId}/${attempt}`,
      })
      if ('unavailable' in evaluated) return { kind: 'unavailable', ...evaluated.unavailable }
      const step = { runId, name: String(attempt), once: 'run' } as const
      return resultOf(await storeVerdict(database, session, step, askedFor(evaluated.verdict, asker), clock.now()))
    },

    /** Reads the pull request of a submission and stores the observation. Source: lifecycle, "Review loop". */
    readPullRequest: async ({ sessionId, runId, attempt, decisive, ...asker }) => {
      const name = `reading-${attempt}`
      const decided = await findVerdict(database.rows, `${runId}/${name}`)
      if (decided !== null) return resultOf(decided)
      const session = await getSession(database.rows, sessionId)
      if (!awaitsVerdict(session)) return { kind: 'ended', status: session.status }
      const evaluated = await evaluateSession(session, handlers, {
        publicBaseUrl,
        now: clock.now(),
        expectedOutputs: [],
        knownRepository: await findKnownRepository(database.rows, sessionId),
      })
      if ('unavailable' in evaluated) return { kind: 'unavailable', ...evaluated.unavailable }
      const { verdict } = evaluated
      const { outcome, reasonCode, detail, codehostLookup: lookup } = verdict
      const step = { runId, name, once: 'step' } as const
      // No reading of a pull request can change it.
      if (judgeClaim(session) !== null) return resultOf(await storeVerdict(database, session, step, askedFor(verdict, asker), clock.now()))
      const describeBlock = (settlementBlock: string | null) =>
        findWaitReason({ outcome, detail, status: session.status, decisive, settlementBlock })
      const observed = isLookup(lookup)
        ? await database.transaction((rows) => recordObservation(rows, { sessionId, lookup, now: clock.now() }, describeBlock))
        : {
            disposition: 'awaiting_evidence' as const,
            heldBecause: describeBlock(findSettlementBlock({ first: null, review: null }, null)),
          }
      if (observed.heldBecause === null) return resultOf(await storeVerdict(database, session, step, askedFor(verdict, asker), clock.now()))
      return { kind: 'undecided', outcome, reasonCode, detail: observed.heldBecause, disposition: observed.disposition }
    },

    recordReviewRequired: async ({ sessionId, runId }) => {
      const session = await getSession(database.rows, sessionId)
      const step = { runId, name: 'review', once: 'run' } as const
      const now = clock.now()
      const stored = await storeVerdict(database, session, step, reviewRequired(session, publicBaseUrl, now), now)
      const { id: verdictId, outcome, reasonCode } = stored
      return { verdictId, outcome, reasonCode }
    },

    /** The verdict that a claim was notified of; null if it does not belong to this session. */
    readVerdict: async ({ sessionId, verdictId }) => {
      const [verdict, session] = await Promise.all([findVerdict(database.rows, verdictId), findSession(database.rows, sessionId)])
      if (verdict?.sessionId !== sessionId || session === null) return null
      return { verdictId, outcome: verdict.outcome, reasonCode: verdict.reasonCode }
    },
  }
}
