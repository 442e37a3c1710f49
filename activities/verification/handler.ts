import { HANDLER_VERSIONS, SETTLEMENT_PATHS } from '../../domain/catalogue/verification-contract.ts'
import type { JobDefinition, VerifierConfig, VerifierMode } from '../../schemas/catalogue/job-definition.ts'
import type { SchemaNode } from '../../schemas/catalogue/job-schemas/parts.ts'
import type { Finding, Unavailable, Verdict } from '../../schemas/verification/verdict.ts'
import type { ReadPullRequest } from '../pull-requests/reader.ts'
import type { ReadRevision } from './article-revision.ts'
import type { IsReachable } from './reachable-url.ts'

/** What a verdict rests on: the pinned terms and the submission as it was stored. */
export interface VerifierInput {
  jobId: string
  sessionId: string
  /** Lower case. */
  wallet: string
  /** Pinned at the claim. */
  config: VerifierConfig
  /** Pinned at the claim. */
  definition: Pick<JobDefinition, 'source' | 'verification' | 'verifierMode'>
  /** Pinned at the claim; null for jobs that take text. */
  outputSchema: SchemaNode | null
  /** The schema object itself, or the text. */
  submission: unknown
}

/** Effects through which handlers look at the world; every one answers, and none throws for what strangers do. */
export interface VerifierSources {
  readPullRequest: ReadPullRequest
  readRevision: ReadRevision
  isReachable: IsReachable
}

/** One way of judging submissions. Source: lifecycle, "Verifier handlers". */
export interface VerifierHandler {
  handler: VerifierMode
  evaluate(input: VerifierInput): Promise<Verdict | Unavailable>
}

/** What `GET /verifier/handlers` says of a mode. */
export const handlerFacts = (handler: VerifierMode) => ({
  handler,
  handlerVersion: HANDLER_VERSIONS[handler],
  settlementPath: SETTLEMENT_PATHS[handler],
  humanReviewPossible: handler !== 'benchmark',
})

/** The core of a verdict of this handler. */
export const verdictOf = <Found extends Finding>(
  { jobId, sessionId }: VerifierInput,
  handler: VerifierMode,
  finding: Found,
): Verdict & Found => ({
  jobId,
  sessionId,
  handler,
  handlerVersion: HANDLER_VERSIONS[handler],
  ...finding,
})

/** A config of another handler is a fault of the platform: it must never count against the worker. */
export const wrongConfig = (input: VerifierInput, handler: VerifierMode): Verdict =>
  verdictOf(input, handler, {
    outcome: 'platform_fault',
    score: 0,
    reasonCode: 'VERIFIER_CONFIG_MISMATCH',
    detail: `The pinned config is for ${input.config.handler}.`,
  })
