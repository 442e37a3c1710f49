import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { JobView } from '../../schemas/catalogue/shapes.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import { maintainerPolicy } from './maintainer-policy.ts'
import { renderMarkdown } from './markdown.ts'
import { definesHumanRequired } from './policy/standing.ts'

/** Labels that name the claimant's wallet or session. Source: specification, "Disclosure". */
const WALLET_LABELS = ['Agent identity', 'Claimant wallet', 'Operator wallet', 'Agent wallet', 'Wallet'] as const
const SESSION_LABELS = ['Claim session', 'Session'] as const

/** First sentence of the footer; it identifies the footer. */
const CANONICAL_HEADER = `This contribution was prepared by an autonomous agent working through ${PRODUCT_NAME}.`

const CLOSING = [
  'Please review the substance as you would any other contribution; you are free to decline it.',
  `${PRODUCT_NAME} funds this work. The agent receives no direct compensation from this repository.`,
]

/** Values of a footer; a missing value becomes a placeholder, a null session has no line. */
export interface FooterFacts {
  wallet?: string | undefined
  sessionId?: string | null | undefined
  /** Person who answers for the work; no line without one. */
  responsiblePerson?: string | undefined
  definitionUrl: string
  /** Evidence hash of the submission. */
  submissionHash?: string | undefined
}

/** Canonical footer for the worker's pull request; the service never writes it into a submission. */
export function disclosureFooter({
  wallet = '<wallet>',
  sessionId = '<session-id>',
  responsiblePerson,
  definitionUrl,
  submissionHash,
}: FooterFacts): string {
  const session = sessionId === null ? [] : [`Claim session: ${sessionId}`]
  const lines = [
    `Agent identity: ${wallet}`,
    ...session,
    ...(responsiblePerson === undefined ? [] : [`Responsible person: ${responsiblePerson}`]),
    `Job spec: ${definitionUrl}`,
    `Submission: ${submissionHash ?? '<submission-hash>'}`,
  ]
  return [CANONICAL_HEADER, '', ...lines, '', ...CLOSING].join('\n')
}

const RULE =
  'The claimant is identified by an exactly labelled wallet or claim session; either exact match binds. An unlabelled address in prose does not bind. Labels are case-insensitive, may start with the service name and may carry Markdown. A label or a value may stand in backticks; a whole line in code or a comment does not bind. The footer is a template; its wording is not required.'

const NO_TRAILERS =
  'The maintainers forbid commits that name an agent in a trailer: write no Co-authored-by and no Assisted-by line for it.'

/** True when a pull request of this job must have the claimant's lines. */
export function disclosureRequired(definition: Pick<JobDefinition, 'source' | 'verifierMode'>): boolean {
  return definition.verifierMode === 'codehost_pr' && maintainerPolicy(definition.source).disclosureRequired !== false
}

/** Whether a pull request of this job must name the person who answers for it: the maintainers want one, or the claim named one. */
export const personRequired = (definition: Pick<JobDefinition, 'source' | 'verifierMode'>, person: string | null): boolean =>
  disclosureRequired(definition) && (person !== null || definesHumanRequired(definition))

/** Disclosure terms of a pull-request job; undefined for other jobs. Source: specification, "Disclosure". */
export function jobDisclosure(definition: JobDefinition, definitionUrl: string): JobView['disclosure'] {
  if (definition.verifierMode !== 'codehost_pr') return undefined
  return {
    required: disclosureRequired(definition),
    canonicalFooter: disclosureFooter({
      definitionUrl,
      ...(definesHumanRequired(definition) && { responsiblePerson: '<responsible-person>' }),
    }),
    acceptedClaimantLines: { wallet: [...WALLET_LABELS], session: [...SESSION_LABELS] },
    rule: maintainerPolicy(definition.source).forbidsTrailers === true ? `${RULE} ${NO_TRAILERS}` : RULE,
  }
}

interface ClaimantLine {
  type: 'wallet' | 'session'
  label: string
  value: string
}

const QUOTE = '["\'“”‘’]'
const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '[ \\t]{1,4}')

// Every repetition is bounded, so that untrusted text cannot make the search slow.
const linePattern = (labels: readonly string[], value: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}-])(?:${escapePattern(PRODUCT_NAME)}[ \\t]{1,4})?(${labels.map(escapePattern).join('|')})` +
      `${QUOTE}{0,2}\\s{0,4}(?::|\\s)${QUOTE}{0,2}\\s{0,4}[(<[]?${QUOTE}{0,2}\\s{0,4}(${value})`,
    'giu',
  )

const WALLET_LINE = linePattern(WALLET_LABELS, '0x[0-9a-z]{1,64}(?![0-9a-z])')
// A character that no session id contains ends the match, such as a bracket, a tag or a full stop.
const SESSION_LINE = linePattern(SESSION_LABELS, '[a-z0-9][a-z0-9._-]{0,159}:0x[0-9a-z]{1,64}(?::[0-9]{1,9})?(?![:_-]{0,3}[0-9a-z])')

function linesOf(type: ClaimantLine['type'], pattern: RegExp, text: string): (ClaimantLine & { at: number })[] {
  return [...text.matchAll(pattern)].map((match) => {
    // Both groups of the pattern take part in every match.
    const [label, value] = match.slice(1) as [string, string]
    return {
      type,
      label: label.replace(/\s+/g, ' '),
      value: type === 'wallet' ? value.toLowerCase() : value,
      at: match.index,
    }
  })
}

const linesIn = (text: string): ClaimantLine[] => {
  const lines = [...linesOf('wallet', WALLET_LINE, text), ...linesOf('session', SESSION_LINE, text)]
  return lines.sort((a, b) => a.at - b.at).map(({ type, label, value }) => ({ type, label, value }))
}

const ONE_WORD_OR_LABEL = new RegExp(`^(?:\\S+|(?:${[...WALLET_LABELS, ...SESSION_LABELS].map(escapePattern).join('|')}):?)$`, 'i')

/** Whether a code span can be a label or a value: people put a wallet into backticks. A labelled line in code is no text. */
const isPartOfLine = (code: string): boolean => ONE_WORD_OR_LABEL.test(code) && linesIn(code).length === 0

const claimantText = (markdown: string): string => renderMarkdown(markdown).proseWith(isPartOfLine)

export type BindingStatus = 'matched' | 'mismatched' | 'missing' | 'claimant_context_missing' | 'unavailable'

export interface ClaimantBinding {
  status: BindingStatus
  canonicalHeader: boolean
  labelledLines: ClaimantLine[]
  matchedBy: ClaimantLine['type'][]
}

/** Compares the claimant lines of a Markdown text with the claimant. A null text was unreadable; a null claimant is unknown. */
export function claimantBinding(markdown: string | null, claimant: { wallet: string; sessionId: string } | null): ClaimantBinding {
  if (markdown === null) return { status: 'unavailable', canonicalHeader: false, labelledLines: [], matchedBy: [] }
  const text = claimantText(markdown)
  const labelledLines = linesIn(text)
  const found = { canonicalHeader: text.includes(CANONICAL_HEADER), labelledLines }
  if (labelledLines.length === 0) return { status: 'missing', ...found, matchedBy: [] }
  if (claimant === null) return { status: 'claimant_context_missing', ...found, matchedBy: [] }
  const own = { wallet: claimant.wallet.toLowerCase(), session: claimant.sessionId }
  const matchedBy = [...new Set(labelledLines.filter((line) => line.value === own[line.type]).map((line) => line.type))]
  return { status: matchedBy.length > 0 ? 'matched' : 'mismatched', ...found, matchedBy }
}

/** What identifies a name in a text: letters and digits, since Markdown, quotes and an `@` may stand around them. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const PERSON_LINE = /responsible person[^\p{L}\p{N}\n]{0,10}([^\n]{1,400})/giu

/**
 * True when a line `Responsible person` of a Markdown text names this person, or anyone where `person` is null: of work that was claimed without
 * the service it is not known whom the worker names.
 */
export function namesResponsiblePerson(markdown: string, person: string | null): boolean {
  const text = renderMarkdown(markdown).proseWith((code) => !/responsible person/i.test(code))
  const named = [...text.matchAll(PERSON_LINE)].map(([, name = '']) => lettersOf(name))
  const expected = lettersOf(person ?? '')
  return named.some((name) => name !== '' && name.startsWith(expected))
}

/** True when a Markdown text shows the canonical header, or a labelled line and the service name. */
export function footerPresent(markdown: string): boolean {
  const text = claimantText(markdown)
  return text.includes(CANONICAL_HEADER) || (text.toLowerCase().includes(PRODUCT_NAME.toLowerCase()) && linesIn(text).length > 0)
}
