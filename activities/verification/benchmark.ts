import { judgeBenchmark, judgeRevisionAnchors } from '../../domain/verification/benchmark.ts'
import { type VerifierHandler, type VerifierSources, verdictOf, wrongConfig } from './handler.ts'

/** Judges by keywords, and by the pinned revision if the job has one. An unavailable revision gives no verdict. */
export const createBenchmarkHandler = ({ readRevision }: Pick<VerifierSources, 'readRevision'>): VerifierHandler => ({
  handler: 'benchmark',
  async evaluate(input) {
    const { config, submission } = input
    if (config.handler !== 'benchmark') return wrongConfig(input, 'benchmark')
    const keywords = judgeBenchmark(config, input.outputSchema, submission)
    if (config.anchorEvidence === undefined || keywords.outcome !== 'approved') return verdictOf(input, 'benchmark', keywords)
    const revision = await readRevision(config.anchorEvidence)
    if ('unavailable' in revision) {
      const detail = `The pinned revision could not be read: ${revision.unavailable}.`
      return { unavailable: { reasonCode: 'BENCHMARK_PINNED_REVISION_UNAVAILABLE', detail } }
    }
    return verdictOf(input, 'benchmark', judgeRevisionAnchors(keywords, submission, revision.text))
  },
})
