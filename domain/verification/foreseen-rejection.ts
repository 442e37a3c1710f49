import type { DeterministicConfig, JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { MemberSchema } from '../../schemas/catalogue/job-schemas/parts.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import { OPEN_DATA_METHOD, pinnedAddresses } from '../catalogue/open-data.ts'
import { judgeBenchmark, judgeRevisionAnchors, revisionAnchors } from './benchmark.ts'
import { judgeDeterministic, judgeOpenData } from './deterministic.ts'

type JudgedTerms = Pick<JobDefinition, 'verifierConfig' | 'verification' | 'source'>

/** Finding of a deterministic job whose pinned addresses answer. */
export function judgeAnswer({ verification, source }: JudgedTerms, config: DeterministicConfig, submission: unknown): Finding {
  if (verification?.method !== OPEN_DATA_METHOD) return judgeDeterministic(config, submission)
  return judgeOpenData(submission, { ...pinnedAddresses(source), datasetReachable: true, resourceReachable: true })
}

/** Finding of the verifier where everything that it reads elsewhere is in the worker's favour; null where only that decides. */
function judgeAtBest(terms: JudgedTerms, schema: MemberSchema | null, submission: unknown): Finding | null {
  const config = terms.verifierConfig
  switch (config.handler) {
    case 'benchmark': {
      const keywords = judgeBenchmark(config, schema, submission)
      // A page that holds every quote.
      const revision = revisionAnchors(submission).join('\n')
      return config.anchorEvidence === undefined ? keywords : judgeRevisionAnchors(keywords, submission, revision)
    }
    case 'deterministic':
      return judgeAnswer(terms, config, submission)
    case 'human_fallback':
    case 'codehost_pr':
      return null
  }
}

/** The rejection of a submission that its terms alone decide; null where it may be approved. Source: specification, "verifierConfig". */
export function foreseeRejection(terms: JudgedTerms, schema: MemberSchema | null, submission: unknown): Finding | null {
  const finding = judgeAtBest(terms, schema, submission)
  return finding?.outcome === 'rejected' ? finding : null
}
