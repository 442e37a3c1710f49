import { HANDLER_VERSIONS, SETTLEMENT_PATHS } from '../../domain/verification/contract.ts'
import { judgeDeterministic } from '../../domain/verification/deterministic.ts'
import { type VerifierHandler, wrongConfig } from './handler.ts'

/** Judges by comparison with the expected outputs. */
export const deterministicHandler: VerifierHandler = {
  handler: 'deterministic',
  handlerVersion: HANDLER_VERSIONS.deterministic,
  settlementPath: SETTLEMENT_PATHS.deterministic,
  humanReviewPossible: false,
  async evaluate(input) {
    const { config, jobId, sessionId } = input
    if (config.handler !== 'deterministic') return wrongConfig(input, deterministicHandler)
    const finding = judgeDeterministic(config, input.submission)
    return { jobId, sessionId, handler: 'deterministic', handlerVersion: HANDLER_VERSIONS.deterministic, ...finding }
  },
}
