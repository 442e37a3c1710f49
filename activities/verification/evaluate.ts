import {
  HANDLER_VERSIONS,
  VERIFIER_POLICY_VERSION,
  verificationContract,
  verifierConfigHash,
} from '../../domain/catalogue/verification-contract.ts'
import { iso } from '../../domain/common/instants.ts'
import { badgeUrl } from '../../domain/reputation/badge.ts'
import { verifySnapshot } from '../../domain/sessions/snapshot.ts'
import { assertItemised, verdictItem } from '../../domain/sessions/verdict-items.ts'
import { judgeClaim, parseVerdictOutcome } from '../../domain/verification/outcome.ts'
import type { ExpectedOutput, JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { KnownRepository } from '../../schemas/pull-requests/record.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { VerdictRecord } from '../../schemas/verification/shapes.ts'
import type { Unavailable, Verdict } from '../../schemas/verification/verdict.ts'
import type { VerifierHandlers } from './registry.ts'

/** Runtime that computed a verdict. */
export const ENVIRONMENT = { kind: 'service', runtime: 'node', version: process.versions.node }

export type Evaluated = { verdict: VerdictRecord } | Unavailable

const rawSubmission = (session: SessionRecord): unknown => {
  const { submission } = session
  if (submission === null) return null
  return submission.kind === 'text' ? submission.rawText : submission.structured
}

/** A verdict with its pins and its input, as stored and served. */
export const verdictRecordOf = (
  session: SessionRecord,
  definition: JobDefinition | null,
  verdict: Omit<Verdict, 'reasonCode'> & { reasonCode: string },
  publicBaseUrl: string,
  evaluatedAt: number,
): VerdictRecord => {
  assertItemised(verdict)
  const pin = session.jobSnapshot
  return {
    jobId: session.jobId,
    sessionId: session.sessionId,
    ...verdict,
    metadataURI: badgeUrl(publicBaseUrl, session.sessionId),
    environment: ENVIRONMENT,
    evaluatedAt: iso(evaluatedAt),
    verifierPolicyVersion: pin.verifierPolicyVersion,
    verifierConfigVersion: pin.verifierConfigVersion,
    verifierConfigHash: pin.verifierConfigHash,
    verifierConfigSnapshot: pin.verifierConfigSnapshot,
    ...(definition !== null && {
      verificationContract: {
        ...verificationContract(definition),
        handlerVersion: verdict.handlerVersion,
        verificationInputHash: session.evidenceHash,
      },
    }),
    evidenceSchemaRef: pin.outputSchema.ref,
    verificationInput: session.submission,
    verificationInputHash: session.evidenceHash,
    badgeSnapshot: session.badgeSnapshot,
  }
}

/** Verdict for a snapshot that does not verify. The platform is at fault, so it never counts against the worker. */
const brokenPin = (session: SessionRecord, code: string) => ({
  handler: session.verifierMode,
  handlerVersion: 0,
  outcome: 'platform_fault' as const,
  score: 0,
  reasonCode: code,
  detail: 'The terms pinned at the claim do not verify.',
  items: [verdictItem('terms_verify', false, '/verifierConfigSnapshot')],
})

export interface EvaluationOptions {
  publicBaseUrl: string
  now: number
  /** Record of the session's job. */
  expectedOutputs: readonly ExpectedOutput[]
  /** Another submission, for a preview. */
  submission?: unknown
  /** Repository of the first read of a pull request; null before it. */
  knownRepository?: KnownRepository | null
  /** Names this attempt of a run; absent where nothing is run. */
  attemptKey?: string
}

/** Evaluates a stored submission, or another one for a preview, with the terms pinned at the claim. Stores nothing. */
export const evaluateSession = async (
  session: SessionRecord,
  handlers: VerifierHandlers,
  options: EvaluationOptions,
): Promise<Evaluated> => {
  const pin = verifySnapshot(session.jobSnapshot, session.jobId)
  if (!pin.ok) return { verdict: verdictRecordOf(session, null, brokenPin(session, pin.code), options.publicBaseUrl, options.now) }
  const claimed = options.submission === undefined ? judgeClaim(session) : null
  if (claimed !== null) {
    const core = { handler: session.verifierMode, handlerVersion: session.jobSnapshot.handlerVersion, ...claimed }
    return { verdict: verdictRecordOf(session, pin.definition, core, options.publicBaseUrl, options.now) }
  }
  const handler = handlers.get(pin.definition.verifierMode)
  if (handler === undefined)
    return { unavailable: { reasonCode: 'HUMAN_REVIEW_REQUIRED', detail: `No handler for ${pin.definition.verifierMode} runs here.` } }
  const found = await handler.evaluate({
    sessionId: session.sessionId,
    wallet: session.wallet,
    config: pin.definition.verifierConfig,
    definition: pin.definition,
    // The snapshot verified, so this is the captured schema.
    outputSchema: pin.snapshot.outputSchema.schema,
    expectedOutputs: options.expectedOutputs,
    submission: options.submission ?? rawSubmission(session),
    knownRepository: options.knownRepository ?? null,
    attemptKey: options.attemptKey ?? null,
    responsiblePerson: session.responsiblePerson,
  })
  if ('unavailable' in found) return found
  const verdict = { ...found, outcome: parseVerdictOutcome(found.outcome) }
  return { verdict: verdictRecordOf(session, pin.definition, verdict, options.publicBaseUrl, options.now) }
}

/** Differences between the captured terms and the live service, for a replay. */
export const replayDrift = (session: SessionRecord, live: JobDefinition | null) => {
  const pin = session.jobSnapshot
  const handler = String(pin.verifierConfigSnapshot.handler)
  const drift = <Value>(captured: Value, now: Value | null) => ({ captured, live: now })
  return {
    handler: drift(handler, live?.verifierConfig.handler ?? null),
    handlerVersion: drift(pin.handlerVersion, HANDLER_VERSIONS[session.verifierMode as keyof typeof HANDLER_VERSIONS]),
    evidenceSchemaRef: drift(pin.outputSchema.ref, live?.outputSchemaRef ?? null),
    verifierPolicyVersion: drift(pin.verifierPolicyVersion, VERIFIER_POLICY_VERSION),
    verifierConfigHash: drift(pin.verifierConfigHash, live === null ? null : verifierConfigHash(live.verifierConfig)),
  }
}
