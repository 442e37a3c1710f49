import { HANDLER_VERSIONS, SETTLEMENT_PATHS } from '../../domain/catalogue/verification-contract.ts'
import type { VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import {
  createBenchmarkHandler,
  createCodehostPrHandler,
  createDeterministicHandler,
  createHumanFallback,
  createVerificationProfileHandler,
  type VerifierHandler,
} from './handlers.ts'
import type { VerifierSources } from './sources.ts'

interface Registered {
  mode: VerifierMode
  /** Submissions with a known verdict, by kind; tests run each of them. */
  fixtures: Readonly<Record<'positive' | 'negative' | 'adversarial', number>>
  create(sources: VerifierSources): VerifierHandler
}

/** All handlers. A mode without one is not offered. */
const REGISTERED: readonly Registered[] = [
  { mode: 'benchmark', fixtures: { positive: 5, negative: 4, adversarial: 9 }, create: createBenchmarkHandler },
  { mode: 'deterministic', fixtures: { positive: 8, negative: 9, adversarial: 11 }, create: createDeterministicHandler },
  { mode: 'human_fallback', fixtures: { positive: 1, negative: 1, adversarial: 1 }, create: createHumanFallback },
  { mode: 'codehost_pr', fixtures: { positive: 4, negative: 7, adversarial: 7 }, create: createCodehostPrHandler },
  { mode: 'verification_profile', fixtures: { positive: 1, negative: 3, adversarial: 3 }, create: createVerificationProfileHandler },
]

/** Handlers by mode. */
export type VerifierHandlers = ReadonlyMap<string, VerifierHandler>

/** Creates all handlers, by mode, with these sources. */
export const createVerifierHandlers = (sources: VerifierSources): VerifierHandlers =>
  new Map(REGISTERED.map(({ mode, create }) => [mode, create(sources)]))

/** Modes that have a handler. */
export const HANDLER_MODES: ReadonlySet<VerifierMode> = new Set(REGISTERED.map(({ mode }) => mode))

/** Body of `GET /verifier/handlers`. */
export const handlerListing = () => ({
  handlers: [...HANDLER_MODES],
  details: REGISTERED.map(({ mode, fixtures }) => ({
    handler: mode,
    handlerVersion: HANDLER_VERSIONS[mode],
    settlementPath: SETTLEMENT_PATHS[mode],
    humanReviewPossible: mode !== 'benchmark' && mode !== 'verification_profile',
    fixtures,
  })),
})
