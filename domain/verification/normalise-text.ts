import type { MemberSchema } from '../../schemas/catalogue/job-schemas/parts.ts'
import { evidenceTexts } from '../common/text.ts'

/** Member names of a schema at any depth, normalised. */
export function memberNames(node: MemberSchema): Set<string> {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, child]) => [normaliseText(name), ...memberNames(child)])
  return new Set([...own, ...(node.items ? memberNames(node.items) : [])])
}

/** Trimmed text with single spaces; keeps upper and lower case. */
export const collapseSpace = (text: string): string => text.replace(/[\s\u0085]+/g, ' ').trim()

/**
 * Form in which every verifier compares the terms of a job with a submission: NFKC, without case, each run of white space one space, trimmed. Upper case first, so that `ß`
 * equals `SS` and both forms of a final sigma are one.
 */
export const normaliseText = (text: string): string =>
  collapseSpace(text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC'))

/** Normalised texts of a submission, one per line, so that a phrase never spans two of them. */
export const normaliseEvidence = (submission: unknown): string => evidenceTexts(submission).map(normaliseText).join('\n')
