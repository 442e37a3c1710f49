import { judgeHumanFallback } from '../../domain/verification/human-fallback.ts'
import type { VerifierMode } from '../../schemas/catalogue/job-definition.ts'
import { createBenchmarkHandler } from './benchmark.ts'
import { createCodehostPrHandler } from './codehost-pr.ts'
import { createDeterministicHandler } from './deterministic.ts'
import { BENCHMARK_FIXTURES } from './fixtures/benchmark.ts'
import { CODEHOST_PR_FIXTURES } from './fixtures/codehost-pr.ts'
import { DETERMINISTIC_FIXTURES } from './fixtures/deterministic.ts'
import { countFixtures, type FixtureCounts, type VerifierFixture } from './fixtures/fixture.ts'
import { HUMAN_FALLBACK_FIXTURES } from './fixtures/human-fallback.ts'
import { createHandler, handlerFacts, type VerifierHandler, type VerifierSources } from './handler.ts'

interface Registered {
  mode: VerifierMode
  fixtures: readonly VerifierFixture[]
  create(sources: VerifierSources): VerifierHandler
}

/** Sends every submission to human review. */
const createHumanFallback = () => createHandler('human_fallback', async (config) => judgeHumanFallback(config))

/** All handlers. A mode without one is not offered. */
const REGISTERED: readonly Registered[] = [
  { mode: 'benchmark', fixtures: BENCHMARK_FIXTURES, create: createBenchmarkHandler },
  { mode: 'deterministic', fixtures: DETERMINISTIC_FIXTURES, create: createDeterministicHandler },
  { mode: 'human_fallback', fixtures: HUMAN_FALLBACK_FIXTURES, create: createHumanFallback },
  { mode: 'codehost_pr', fixtures: CODEHOST_PR_FIXTURES, create: createCodehostPrHandler },
]

/** Handlers by mode. */
export type VerifierHandlers = ReadonlyMap<string, VerifierHandler>

/** Creates all handlers, by mode, with these sources. */
export const createVerifierHandlers = (sources: VerifierSources): VerifierHandlers =>
  new Map(REGISTERED.map(({ mode, create }) => [mode, create(sources)]))

/** Modes that have a handler. */
export const HANDLER_MODES: ReadonlySet<VerifierMode> = new Set(REGISTERED.map(({ mode }) => mode))

/** All fixtures. */
export const VERIFIER_FIXTURES: readonly VerifierFixture[] = REGISTERED.flatMap(({ fixtures }) => fixtures)

export interface HandlerListing extends ReturnType<typeof handlerFacts> {
  fixtures: FixtureCounts
}

/** Body of `GET /verifier/handlers`. */
export const handlerListing = (): { handlers: VerifierMode[]; details: HandlerListing[] } => ({
  handlers: [...HANDLER_MODES],
  details: REGISTERED.map(({ mode, fixtures }) => ({ ...handlerFacts(mode), fixtures: countFixtures(fixtures) })),
})
