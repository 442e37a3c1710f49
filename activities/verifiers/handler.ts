import type { VerifierConfig, VerifierMode } from '../../schemas/job-definition.ts'
import type { SchemaNode } from '../../schemas/jobs/parts.ts'
import type { Unavailable, Verdict } from '../../schemas/verdict.ts'

/** What a verdict rests on: the pinned terms and the submission as it was stored. */
export interface VerifierInput {
  jobId: string
  sessionId: string
  /** Pinned at the claim. */
  config: VerifierConfig
  /** Pinned at the claim; null for jobs that take text. */
  outputSchema: SchemaNode | null
  /** The schema object itself, or the text. */
  submission: unknown
}

/** One way of judging submissions. Source: lifecycle, "Verifier handlers". */
export interface VerifierHandler {
  handler: VerifierMode
  handlerVersion: number
  settlementPath: 'automatic' | 'automatic_with_human_fallback' | 'human_review'
  humanReviewPossible: boolean
  evaluate(input: VerifierInput): Promise<Verdict | Unavailable>
}

/** A config of another handler is a fault of the platform: it must never count against the worker. */
export const wrongConfig = ({ jobId, sessionId, config }: VerifierInput, handler: VerifierHandler): Verdict => ({
  jobId,
  sessionId,
  handler: handler.handler,
  handlerVersion: handler.handlerVersion,
  outcome: 'platform_fault',
  score: 0,
  reasonCode: 'VERIFIER_CONFIG_MISMATCH',
  detail: `The pinned config is for ${config.handler}.`,
})
