import { judgeHumanFallback } from '../../domain/verification/human-fallback.ts'
import { type VerifierHandler, verdictOf, wrongConfig } from './handler.ts'

/** Sends every submission to human review. */
export const humanFallbackHandler: VerifierHandler = {
  handler: 'human_fallback',
  async evaluate(input) {
    const { config } = input
    if (config.handler !== 'human_fallback') return wrongConfig(input, 'human_fallback')
    return verdictOf(input, 'human_fallback', judgeHumanFallback(config))
  },
}
