import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import { sourceGroup } from '../catalogue/source.ts'
import { normaliseText } from '../common/text.ts'

/** Changes that a submission proposes for an article at a fixed revision. */
export interface Proposal {
  language: string
  revisionId: string
  /** Replacement texts in the order of the proposed changes, normalised; an empty one is never adopted. */
  texts: string[]
}

/** The language is part of a host name. */
const LANGUAGE = /^[a-z]{2,12}(?:-[a-z]{2,12}){0,2}$/
const REVISION = /^[1-9][0-9]{0,18}$/

const revisionOf = ({ source, verifierConfig }: JobDefinition): Omit<Proposal, 'texts'> | null => {
  if (verifierConfig.handler === 'benchmark' && verifierConfig.anchorEvidence !== undefined) return verifierConfig.anchorEvidence
  if (source === undefined || sourceGroup(source.type) !== 'wikipedia') return null
  const language = String(source.language ?? '')
  const revisionId = String(source.revisionId ?? '')
  return LANGUAGE.test(language) && REVISION.test(revisionId) ? { language, revisionId } : null
}

/** Proposal of a submission; null for a job about no article, and without a replacement text. */
export const findProposal = (definition: JobDefinition, submission: unknown): Proposal | null => {
  const revision = revisionOf(definition)
  const changes = (submission as { proposed_changes?: unknown } | null)?.proposed_changes
  if (revision === null || !Array.isArray(changes)) return null
  const texts = changes.map((change: { replacement_text?: unknown } | null) =>
    typeof change?.replacement_text === 'string' ? normaliseText(change.replacement_text) : '',
  )
  const { language, revisionId } = revision
  return texts.some((text) => text !== '') ? { language, revisionId, texts } : null
}

/** Positions of the texts that stand in the current revision and not in the pinned one; both as wikitext. */
export const adoptedTexts = ({ texts }: Pick<Proposal, 'texts'>, pinned: string, current: string): number[] => {
  const [before, after] = [normaliseText(pinned), normaliseText(current)]
  return texts.flatMap((text, position) => (text !== '' && after.includes(text) && !before.includes(text) ? [position] : []))
}
