import type { MemberSchema } from '../../schemas/catalogue/job-schemas/parts.ts'
import { evidenceTexts, normaliseText } from '../common/text.ts'

/** Member names of a schema at any depth, normalised. */
export function memberNames(node: MemberSchema): Set<string> {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, child]) => [normaliseText(name), ...memberNames(child)])
  return new Set([...own, ...(node.items ? memberNames(node.items) : [])])
}

/** Normalised texts of a submission, one per line, so that a phrase never spans two of them. */
export const normaliseEvidence = (submission: unknown): string => evidenceTexts(submission).map(normaliseText).join('\n')
