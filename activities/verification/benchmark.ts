import { judgeBenchmark, judgeRevisionAnchors } from '../../domain/verification/benchmark.ts'
import { createHandler, type VerifierHandler, type VerifierSources } from './handler.ts'

/** Judges by keywords, and by the pinned revision if the job has one. An unavailable revision gives no verdict. */
export const createBenchmarkHandler = ({ readRevision }: Pick<VerifierSources, 'readRevision'>): VerifierHandler =>
  createHandler('benchmark', async (config, { outputSchema, submission }) => {
    const keywords = judgeBenchmark(config, outputSchema, submission)
    if (config.anchorEvidence === undefined || keywords.outcome !== 'approved') return keywords
    const revision = await readRevision(config.anchorEvidence)
    if ('unavailable' in revision) {
      const detail = `The pinned revision could not be read: ${revision.unavailable}.`
      return { unavailable: { reasonCode: 'BENCHMARK_PINNED_REVISION_UNAVAILABLE', detail } }
    }
    return judgeRevisionAnchors(keywords, submission, revision.text)
  })
