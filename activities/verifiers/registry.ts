import type { VerifierMode } from '../../schemas/job-definition.ts'
import { benchmarkHandler } from './benchmark.ts'
import { deterministicHandler } from './deterministic.ts'
import { BENCHMARK_FIXTURES } from './fixtures/benchmark.ts'
import { DETERMINISTIC_FIXTURES } from './fixtures/deterministic.ts'
import { countFixtures, type FixtureCounts, type VerifierFixture } from './fixtures/fixture.ts'
import type { VerifierHandler } from './handler.ts'

const registered: readonly { handler: VerifierHandler; fixtures: readonly VerifierFixture[] }[] = [
  { handler: benchmarkHandler, fixtures: BENCHMARK_FIXTURES },
  { handler: deterministicHandler, fixtures: DETERMINISTIC_FIXTURES },
]

/** The handlers that exist, by mode. A mode that is missing here is not offered. */
export const VERIFIER_HANDLERS: ReadonlyMap<VerifierMode, VerifierHandler> = new Map(
  registered.map(({ handler }) => [handler.handler, handler]),
)

/** Modes whose handler exists. */
export const HANDLER_MODES: ReadonlySet<VerifierMode> = new Set(VERIFIER_HANDLERS.keys())

export interface HandlerListing extends Pick<VerifierHandler, 'handler' | 'handlerVersion' | 'settlementPath' | 'humanReviewPossible'> {
  fixtures: FixtureCounts
}

/** Body of `GET /verifier/handlers`. */
export const handlerListing = (): { handlers: VerifierMode[]; details: HandlerListing[] } => ({
  handlers: [...HANDLER_MODES],
  details: registered.map(({ handler: { handler, handlerVersion, settlementPath, humanReviewPossible }, fixtures }) => ({
    handler,
    handlerVersion,
    settlementPath,
    humanReviewPossible,
    fixtures: countFixtures(fixtures),
  })),
})
