import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { JobTerms } from '../../schemas/catalogue/job-input.ts'
import type { MemberSchema } from '../../schemas/catalogue/job-schemas/parts.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import { isCommittedFacts } from '../catalogue/committed-facts.ts'
import { OPEN_DATA_METHOD, pinnedAddresses } from '../catalogue/open-data.ts'
import { judgeBenchmark, judgeRevisionAnchors, revisionAnchors } from './benchmark.ts'
import { judgeOpenData } from './deterministic.ts'
import { foreseeFacts } from './source-facts/judge.ts'
import { foreseePatch } from './source-facts/profile.ts'

type JudgedTerms = Pick<JobDefinition, 'verifierConfig' | 'verification' | 'source'>

/** Whether the pinned addresses of a job decide, which are public. */
export const isOpenData = ({ verification }: Pick<JobDefinition | JobTerms, 'verification'>): boolean =>
  verification?.method === OPEN_DATA_METHOD

/** Finding of an open-data job whose pinned addresses answer. */
export const judgePinned = ({ source }: Pick<JobDefinition, 'source'>, submission: unknown): Finding =>
  judgeOpenData(submission, { ...pinnedAddresses(source), datasetReachable: true, resourceReachable: true })

/**
 * Finding of the verifier where everything that it reads elsewhere is in the worker's favour; null where only that decides. An answer is not
 * compared with the expected outputs: a caller could ask until it has found them.
 */
function judgeAtBest(terms: JudgedTerms, schema: MemberSchema | null, submission: unknown): Finding | null {
  const config = terms.verifierConfig
  switch (config.handler) {
    case 'benchmark': {
      const keywords = judgeBenchmark(config, schema, submission)
      // A page that holds every quote.
      const { quotes, addresses } = revisionAnchors(submission)
      const revision = [...quotes, ...addresses].join('\n')
      return config.anchorEvidence === undefined ? keywords : judgeRevisionAnchors(keywords, submission, revision)
    }
    case 'deterministic':
      if (isCommittedFacts(terms)) return foreseeFacts(terms, submission)
      return isOpenData(terms) ? judgePinned(terms, submission) : null
    case 'verification_profile':
      return foreseePatch(config, submission)
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
