/** What labels, title and body of an issue say of the work. Source: lifecycle, "Ingest". */

const words = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Labels in plain form, and the parts of labels such as `type: bug` or `area/docs`. */
export const plainLabels = (labels: readonly string[]): ReadonlySet<string> =>
  new Set(labels.flatMap((label) => [label, ...label.split(/[:/]/)].map(words)).filter((label) => label !== ''))

export const DOCS_LABELS = ['documentation', 'docs'] as const
export const TEST_LABELS = ['test', 'tests'] as const
export const NEGATIVE_LABELS = ['security', 'architecture', 'design', 'migration', 'breaking change', 'blocked', 'needs decision'] as const
/** Labels with which maintainers say that an issue is no work. */
const DECLINED_LABELS = ['wontfix', 'won t fix', 'duplicate', 'invalid'] as const

/** The label that declines the issue; null without one. */
export const declinedLabel = (labels: readonly string[]): string | null => {
  const plain = plainLabels(labels)
  return DECLINED_LABELS.find((label) => plain.has(label)) ?? null
}

const TITLE_WORDS = {
  tests: /\b(?:unit ?|integration ?)?(?:tests?|testing|coverage)\b/i,
  docs: /\b(?:docs?|documentation|readme|typos?)\b/i,
  clean: /\b(?:validat(?:e|es|ion|ing)|refactor(?:s|ing)?)\b/i,
  risky: /\b(?:crash(?:es|ed|ing)?|security|vulnerabilit(?:y|ies)|auth|authentication|authorisation|authorization|oauth)\b/i,
} as const

export const titleHas = (title: string, kind: keyof typeof TITLE_WORDS): boolean => TITLE_WORDS[kind].test(title)

const REPRODUCTION = /\b(?:steps to reproduce|how to reproduce|minimal reproduction|reproduction|repro)\b/i
const CRITERIA = /\b(?:acceptance criteria|definition of done)\b|^[ \t]*[-*] \[[ x]\] /im
/** Characters of a body that are looked at. */
const LOOKED_AT = 65_536

/** What a job cannot show of a body, read from the whole of it. */
export const bodyFacts = (body: string): { bodyLength: number; hasReproduction: boolean; hasAcceptanceCriteria: boolean } => {
  const text = body.slice(0, LOOKED_AT)
  return { bodyLength: body.trim().length, hasReproduction: REPRODUCTION.test(text), hasAcceptanceCriteria: CRITERIA.test(text) }
}
