import { judgeBenchmark } from '../../domain/verification/benchmark.ts'
import { HANDLER_VERSIONS, SETTLEMENT_PATHS } from '../../domain/verification/contract.ts'
import { type VerifierHandler, wrongConfig } from './handler.ts'

/** Judges by keywords. A job anchored to a pinned revision waits, since nothing here fetches one. */
export const benchmarkHandler: VerifierHandler = {
  handler: 'benchmark',
  handlerVersion: HANDLER_VERSIONS.benchmark,
  settlementPath: SETTLEMENT_PATHS.benchmark,
  humanReviewPossible: false,
  async evaluate(input) {
    const { config, jobId, sessionId } = input
    if (config.handler !== 'benchmark') return wrongConfig(input, benchmarkHandler)
    if (config.anchorEvidence !== undefined) {
      const detail = 'The pinned revision cannot be fetched here.'
      return { unavailable: { reasonCode: 'BENCHMARK_PINNED_REVISION_UNAVAILABLE', detail } }
    }
    const finding = judgeBenchmark(config, input.outputSchema, input.submission)
    return { jobId, sessionId, handler: 'benchmark', handlerVersion: HANDLER_VERSIONS.benchmark, ...finding }
  },
}
