import { randomUUID } from 'node:crypto'
import { readExpectedOutputs } from '../../activities/catalogue/expected-outputs.ts'
import { findJob } from '../../activities/catalogue/jobs.ts'
import { waitingFactsOf } from '../../activities/disputes/waiting.ts'
import { findKnownRepository } from '../../activities/pull-requests/records.ts'
import { getSession } from '../../activities/sessions/records.ts'
import { findSessionVersion, type SessionVersion } from '../../activities/sessions/version.ts'
import { type Evaluated, evaluateSession, replayDrift } from '../../activities/verification/evaluate.ts'
import { findVerdict, itemsOf, latestVerdict, type StoredVerdict } from '../../activities/verification/records.ts'
import { handlerListing } from '../../activities/verification/registry.ts'
import { verifierStart } from '../../activities/verification/start.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import { replacementOf } from '../../domain/sessions/replaced-verdict.ts'
import { resolutionOf } from '../../domain/sessions/resolution.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { isTerminal } from '../../domain/sessions/state-machine.ts'
import { findDisputeAction } from '../../domain/sessions/view.ts'
import { disputableUntil, waitingView } from '../../domain/sessions/waiting.ts'
import { isWithPeople } from '../../domain/verification/late-verdict.ts'
import { verificationRefusal } from '../../domain/verification/refusal.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Principal } from '../../schemas/identity/authorisation.ts'
import type { Answer, HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type * as verifierOperations from '../../schemas/verification/operations.ts'
import { type RunResult, runUpdate, verifierWorkflowId } from '../../schemas/verification/process.ts'
import type { VerdictRecord } from '../../schemas/verification/shapes.ts'
import type { ApiDeps } from '../deps.ts'
import { NO_STORE } from '../http/answers.ts'
import { type ProcessKey, withProcessKey } from '../http/idempotency.ts'
import { findNativeGas, verdictAnswer } from '../sessions/answers.ts'
import type { Outcome } from '../temporal/engine.ts'

/** Longest wait for the settlement of a verdict that a verifier asked for. */
const SETTLEMENT_WAIT_SECONDS = 5

/** The result without a verdict: not submitted, verifying, or ended without one. */
const resultWithoutVerdict = ({ status, statusHistory, timestamps: { submittedAt } }: SessionRecord) => {
  if (submittedAt === null) return { status: 'not_submitted' as const }
  const end = statusHistory.at(-1)
  if (isTerminal(status) && end !== undefined) return { status: 'decided' as const, reasonCode: end.reason, resolvedAt: iso(end.at) }
  return { status: 'verifying' as const, awaitingSince: iso(submittedAt) }
}

/** The state a long poll compares: a verdict counts once it has changed the session. */
const resultState = (current: SessionVersion | null): string => {
  if (current === null || current.submittedAt === null) return `not submitted ${current?.status}`
  if (current.verdictId === null) return isTerminal(current.status) ? 'ended' : 'verifying'
  return current.status === 'submitted' ? 'verifying' : `${current.verdictId} ${current.status}`
}

/** The public part of a result: no submission, no evidence. */
const publicResult = (session: SessionRecord, verdict: StoredVerdict | null, now: number) => {
  const submittedAt = isoOrNull(session.timestamps.submittedAt)
  const base = { sessionId: session.sessionId, jobId: session.jobId, submittedAt }
  if (verdict === null) return { ...base, ...resultWithoutVerdict(session) }
  const { outcome, reasonCode } = verdict
  const own = { outcome, reasonCode, resolvedAt: iso(verdict.decidedAt), items: itemsOf(verdict) }
  const instead = replacementOf(session, verdict)
  const { resolvedAt, ...decided } = instead === null ? own : { ...instead, replacedVerdict: own }
  if (isWithPeople(session, verdict))
    return { ...base, ...decided, status: 'with_people' as const, awaitingSince: isoOrNull(session.timestamps.disputedAt) ?? resolvedAt }
  const resolution = resolutionOf(session, verdict)
  const until = disputableUntil(session, now)
  return {
    ...base,
    ...decided,
    status: 'decided' as const,
    resolvedAt,
    ...(resolution !== null && { resolution }),
    ...(until !== null && { disputableUntil: until }),
  }
}

const mayReadAll = (session: SessionRecord, caller: Principal | null): boolean =>
  caller !== null && (caller.wallet === session.wallet || caller.capabilities.includes('verifier:result:read'))

type Failure = { reasonCode: string; detail: string; retryAfterSeconds?: number }

const upstreamFailure = ({ reasonCode, detail, retryAfterSeconds }: Failure, details?: object): ServiceError =>
  new ServiceError('upstream_failure', { reason: reasonCode, detail, retryAfterSeconds, ...(details && { details: { ...details } }) })

const getVerdict = (evaluated: Evaluated): VerdictRecord => {
  if ('unavailable' in evaluated) throw upstreamFailure(evaluated.unavailable, evaluated.unavailable)
  return evaluated.verdict
}

type RunReply = Answer<typeof verifierOperations.runVerifier>

/** Verification over HTTP: results for readers, runs for verifiers; the session's workflow settles. */
export const createVerificationHandlers = (deps: ApiDeps): HandlersOf<typeof verifierOperations> => {
  const { database, engine, clock, baseUrl, waits } = deps

  /** Waits until the verdict has changed the session, so that the answer shows the payment. */
  const awaitSettlement = async (session: SessionRecord, outcome: string, signal: AbortSignal): Promise<void> => {
    const { sessionId, status } = session
    if (verificationRefusal(session) !== null) return
    if (status === 'disputed' && outcome !== 'approved' && outcome !== 'rejected') return
    await waits(sessionId, { seconds: SETTLEMENT_WAIT_SECONDS, signal, holder: null }, ({ version }) => version?.status !== status)
  }

  const sessionOf = (id: string): Promise<SessionRecord> => getSession(database.rows, normaliseSessionId(id) ?? id)

  const preview = async (session: SessionRecord, submission: unknown, metadataURI?: string) => {
    const [knownRepository, expectedOutputs] = await Promise.all([
      findKnownRepository(database.rows, session.sessionId),
      readExpectedOutputs(database.rows, session.jobId),
    ])
    const facts = { publicBaseUrl: baseUrl, now: clock.now(), knownRepository, expectedOutputs }
    const options = { ...facts, ...(submission !== undefined && { submission }) }
    return { ...getVerdict(await evaluateSession(session, deps.verifiers, options)), ...(metadataURI !== undefined && { metadataURI }) }
  }

  /** The answer for the outcome of a verification update. */
  const replyFor = async (session: SessionRecord, outcome: Outcome<RunResult>, signal: AbortSignal): Promise<RunReply> => {
    if (outcome.kind === 'pending')
      throw new ServiceError('upstream_failure', { detail: 'The handler is still running; read the result later.', retryAfterSeconds: 5 })
    if (outcome.value.kind === 'unavailable') throw upstreamFailure(outcome.value)
    const verdict = await findVerdict(database.rows, outcome.value.verdictId)
    if (verdict === null) throw new Error(`verdict ${outcome.value.verdictId} is gone`)
    await awaitSettlement(session, verdict.outcome, signal)
    const settled = await getSession(database.rows, session.sessionId)
    return { status: 200, body: { ...verdictAnswer(settled, verdict.verdict), decidedAt: iso(verdict.decidedAt) } }
  }

  /** The outcome of an earlier request under the same key, which may have changed the session itself. */
  const findEarlierOutcome = async (session: SessionRecord, key: ProcessKey): Promise<Outcome<RunResult> | null> => {
    const updateId = await key.findUpdate()
    return updateId === null ? null : engine.readResult(verifierWorkflowId(session.sessionId), updateId)
  }

  const run = async ({ body, caller, request }: Input<typeof verifierOperations.runVerifier>, key: ProcessKey): Promise<RunReply> => {
    const session = await sessionOf(body.sessionId)
    const refusal = verificationRefusal(session)
    if (refusal !== null) {
      const earlier = await findEarlierOutcome(session, key)
      if (earlier === null) throw refusal
      return replyFor(session, earlier, request.signal)
    }
    if (body.preview === true)
      return { status: 200, body: { ...verdictAnswer(session, await preview(session, body.evidence, body.metadataURI)), preview: true } }
    const { title } = pinnedDefinition(session.jobSnapshot)
    const { sessionId } = session
    const updateId = await key.join(verifierWorkflowId(sessionId), randomUUID())
    const asked = { requestId: request.id, requestedBy: caller.wallet }
    const input = { ...asked, ...(body.metadataURI !== undefined && { metadataURI: body.metadataURI }) }
    const start = verifierStart({ ...session, title }, { v: 1, sessionId, ...asked })
    const outcome = await engine.updateOrStart(runUpdate, { updateId, input }, 'verifierRun', start)
    if (outcome.kind === 'done' && outcome.value.kind === 'unavailable') await key.forget(updateId)
    return replyFor(session, outcome, request.signal)
  }

  /** What the session waits for; its owner also gets the transaction that disputes a rejection. */
  const ownerMembers = async (session: SessionRecord, caller: Principal | null) => {
    const [facts, native] = await Promise.all([
      waitingFactsOf(database.rows, session),
      caller?.wallet === session.wallet ? findNativeGas(deps, session) : null,
    ])
    const dispute = caller?.wallet === session.wallet ? findDisputeAction(session, clock.now(), native) : null
    return { ...waitingView(session, facts, clock.now()), ...(dispute !== null && { nextActions: [dispute] }) }
  }

  return {
    listVerifierHandlers: async () => ({ status: 200, body: handlerListing() }),

    getVerificationResult: async ({ query, caller, request }) => {
      const sessionId = normaliseSessionId(query.sessionId) ?? query.sessionId
      const current = await findSessionVersion(database.rows, sessionId)
      // A terminal session does not change any more.
      if (current !== null && !isTerminal(current.status) && query.waitSeconds !== undefined) {
        const before = resultState(current)
        const holder = { wallet: caller?.wallet ?? null, ip: request.ip }
        const wait = { seconds: query.waitSeconds, signal: request.signal, holder }
        await waits(sessionId, wait, ({ version }) => resultState(version) !== before)
      }
      const session = await getSession(database.rows, sessionId)
      const verdict = await latestVerdict(database.rows, sessionId)
      const result = publicResult(session, verdict, clock.now())
      if (!mayReadAll(session, caller)) return { status: 200, body: result }
      const more = { ...result, ...(await ownerMembers(session, caller)) }
      const decided = verdict && { ...verdictAnswer(session, verdict.verdict), decidedAt: iso(verdict.decidedAt) }
      return { status: 200, body: { ...decided, ...more }, headers: NO_STORE }
    },

    runVerifier: (input) => withProcessKey(deps, input, (key) => run(input, key)),

    replayVerifier: async ({ body }) => {
      const session = await sessionOf(body.sessionId)
      const original = await latestVerdict(database.rows, session.sessionId)
      if (original === null)
        throw new ServiceError('invalid_session_transition', {
          detail: 'There is no verdict to replay yet.',
          details: { sessionId: session.sessionId, currentStatus: session.status },
        })
      const verdict = await preview(session, undefined)
      const live = await findJob(database.rows, session.jobId)
      const drift = replayDrift(session, live?.definition ?? null)
      const replayed = { ...verdictAnswer(session, verdict), replay: true as const, originalOutcome: original.outcome, replayDrift: drift }
      return { status: 200, body: replayed }
    },
  }
}
