import { HANDLER_VERSIONS } from '../../domain/catalogue/verification-contract.ts'
import type { JobDefinition, VerifierConfig } from '../../schemas/catalogue/job-definition.ts'
import type { MemberSchema } from '../../schemas/catalogue/job-schemas/parts.ts'
import type { VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import type { KnownRepository } from '../../schemas/pull-requests/record.ts'
import type { Finding, Unavailable, Verdict } from '../../schemas/verification/verdict.ts'

/** Inputs of a verdict: the pinned terms and the stored submission. */
export interface VerifierInput {
  sessionId: string
  /** Lower case. */
  wallet: string
  /** Pinned at the claim. */
  config: VerifierConfig
  /** Pinned at the claim. */
  definition: Pick<JobDefinition, 'source' | 'verification' | 'verifierMode'>
  /** Pinned at the claim; null for jobs that take text. */
  outputSchema: MemberSchema | null
  /** The schema object itself, or the text. */
  submission: unknown
  /** Repository of the first read of a pull request; null before it. */
  knownRepository: KnownRepository | null
}

/** Judges submissions of one mode. Source: lifecycle, "Verifier handlers". */
export interface VerifierHandler {
  evaluate(input: VerifierInput): Promise<Verdict | Unavailable>
}

type ConfigOf<Mode extends VerifierMode> = Extract<VerifierConfig, { handler: Mode }>

const isConfigOf = <Mode extends VerifierMode>(config: VerifierConfig, mode: Mode): config is ConfigOf<Mode> => config.handler === mode

/** Handler of a mode. A pinned config of another mode is a platform fault that never counts against the worker. */
export const createHandler = <Mode extends VerifierMode>(
  handler: Mode,
  judge: (config: ConfigOf<Mode>, input: VerifierInput) => Promise<(Finding & Partial<Verdict>) | Unavailable>,
): VerifierHandler => ({
  evaluate: async (input) => {
    const { config } = input
    const verdict = { handler, handlerVersion: HANDLER_VERSIONS[handler] }
    if (!isConfigOf(config, handler)) {
      const detail = `The pinned config is for ${config.handler}.`
      return { ...verdict, outcome: 'platform_fault', score: 0, reasonCode: 'VERIFIER_CONFIG_MISMATCH', detail, items: [] }
    }
    const found = await judge(config, input)
    return 'unavailable' in found ? found : { ...verdict, ...found }
  },
})
