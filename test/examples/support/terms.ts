// Other terms of the job of a dispute file.
import { keccakOf } from '../../../domain/common/hashes.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import type { Document } from './records.ts'

const COMMITTED = builtJob(jobBody({ verifierMode: 'deterministic', verifierTerms: ['42', 'Straße 7'] }))

/** Sets members of both definitions of a file. */
const setTerms = ({ terms: { specDefinition, definition } }: Document, members: object): void => {
  for (const part of [specDefinition, definition]) Object.assign(part, members)
  definition.provenance.specHash = keccakOf(specDefinition)
}

/** Sets how many seconds a claim lasts, and its deadline. */
export const setDuration = (file: Document, seconds: number): void => {
  setTerms(file, { claimTtlSeconds: seconds })
  const end = new Date(Date.parse(file.receipt.timestamps.claimedAt) + seconds * 1_000).toISOString()
  file.receipt.intent.deadline = file.deadlines.claimExpiresAt = end
}

/** Sets commitments, and the expected outputs that open them, which it returns. */
export const setCommitments = (file: Document): Document => {
  setTerms(file, { verifierConfig: COMMITTED.definition.verifierConfig })
  file.terms.expectedOutputs = structuredClone(COMMITTED.expectedOutputs)
  return file.terms.expectedOutputs
}
