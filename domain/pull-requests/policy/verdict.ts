import { POLICY_VERDICTS, type PolicyVerdict, type RepositoryPolicy } from '../../../schemas/pull-requests/policy.ts'
import { isDeniedRepo } from '../maintainer-policy.ts'
import {
  AGENT_MAY_NOT,
  ALLOWED,
  AUTHORED,
  DISCLOSE,
  HUMAN_ANSWERS,
  HUMAN_SUBMITS,
  HUMANS_ONLY,
  NAMES_TOOL,
  NEEDS_NO_DISCLOSURE,
  NEGATED,
  NO_PROPOSALS,
  OF_OTHERS,
  REFUSED,
  SIGN_OFF,
  STOP,
  TRAILER,
  WITHOUT_DISCLOSURE,
  WITHOUT_HUMAN,
} from './patterns.ts'
import { type PolicySentence, type PolicyText, policySentences } from './sentences.ts'

/** What the texts say, with the sentence that decided. */
export type PolicyDecision = Pick<RepositoryPolicy, 'verdict' | 'reason' | 'path' | 'quote' | 'forbidsTrailers'>

type Finding = Pick<PolicyDecision, 'verdict' | 'reason'> & { forbidsTrailers?: boolean }

const QUOTE_LENGTH = 300

const DENIES: Finding = { verdict: 'denies', reason: 'repo_ai_policy_denies_agent_contributions' }
const STOPS: Finding = { verdict: 'denies', reason: 'maintainer_stop_signal' }
const HUMAN: Finding = { verdict: 'human_required', reason: null }
const DISCLOSES: Finding = { verdict: 'disclose', reason: null }

const severity = (verdict: PolicyVerdict): number => POLICY_VERDICTS.indexOf(verdict)

/** The stricter of two findings; the first of equal ones. */
const stricter = (one: Finding | null, other: Finding | null): Finding | null => {
  if (one === null || other === null) return one ?? other
  return severity(other.verdict) < severity(one.verdict) ? other : one
}

/** Files that speak to agents or of them as a whole. */
const IS_OF_AGENTS = /(?:^|\/|:)(?:ai[-_ ]?policy|ai[-_ ]?agents|agents)\.[a-z]+$/i
/** A sentence whose subject stands before it. */
const REFERS_BACK =
  /\b(?:such|these|those|they|them|it|this|that)\b|^(?:strictly |currently )?(?:not|never|no|prohibited|forbidden|banned|we do(?: not|n['’]t) (?:accept|allow|want)[.!]?$)/i
const ANSWERS_NO = /^(?:no|never|not at this time|absolutely not)\b/i
const GENERAL_SUBJECT = /\b(?:tests?|issues? first|style|format\w*|licen[cs]e\w*|documentation)\b/i

const CLAUSES = /;\s+|,?\s+(?:but|however|yet|whereas)\b,?\s+/i

/** Refusal of one clause, by what the refused work lacks. */
const refusal = (clause: string): Finding => {
  if (WITHOUT_DISCLOSURE.test(clause)) return DISCLOSES
  return WITHOUT_HUMAN.test(clause) ? HUMAN : DENIES
}

const trailerFinding = (text: string): Finding | null => {
  if (!TRAILER.test(text) && !(SIGN_OFF.test(text) && NAMES_TOOL.test(text))) return null
  if (!NEGATED.test(text)) return TRAILER.test(text) ? DISCLOSES : null
  return SIGN_OFF.test(text) && !TRAILER.test(text) ? HUMAN : { ...DISCLOSES, forbidsTrailers: true }
}

const hasTopic = ({ heading, before }: PolicySentence): boolean =>
  AUTHORED.test(heading) || NAMES_TOOL.test(heading) || AUTHORED.test(before)

const isRefused = (clause: string, context: { whole: string; sentence: PolicySentence; isOfAgents: boolean }): boolean => {
  const { whole, sentence, isOfAgents } = context
  if (AGENT_MAY_NOT.test(clause)) return true
  if (isOfAgents && NO_PROPOSALS.test(whole)) return true
  if (HUMANS_ONLY.test(clause)) return hasTopic(sentence) || isOfAgents || /contribut|pull request|\bPRs?\b|patch|code|written/i.test(whole)
  if (!REFUSED.test(clause)) return false
  if (AUTHORED.test(clause)) return true
  // "They will be closed", after a sentence or below a heading that names such work.
  return REFERS_BACK.test(clause) && (AUTHORED.test(whole) || hasTopic(sentence)) && !GENERAL_SUBJECT.test(clause)
}

const requirement = (text: string, sentence: PolicySentence, isOfAgents: boolean): Finding | null => {
  if (HUMAN_SUBMITS.test(text) && !NEGATED.test(text)) return HUMAN
  const isTopic = AUTHORED.test(text) || NAMES_TOOL.test(text) || hasTopic(sentence) || isOfAgents
  if (!isTopic) return null
  // Of a file that addresses agents only what speaks of contributions concerns the maintainers.
  if (HUMAN_ANSWERS.test(text)) return HUMAN
  if (DISCLOSE.test(text) && !NEEDS_NO_DISCLOSURE.test(text) && (AUTHORED.test(text) || NAMES_TOOL.test(text) || hasTopic(sentence)))
    return DISCLOSES
  return null
}

const isQuestion = (text: string): boolean => text.endsWith('?')

const findIn = (sentence: PolicySentence, isOfAgents: boolean): Finding | null => {
  const whole = sentence.text.replace(ALLOWED, ' allow ')
  if (STOP.some((pattern) => pattern.test(whole)) && !isQuestion(whole))
    return AUTHORED.test(whole) && !/\bstop\b/i.test(whole) ? DENIES : STOPS
  const trailer = trailerFinding(whole)
  if (trailer !== null) return stricter(trailer, requirement(whole, sentence, isOfAgents))
  const question = isQuestion(sentence.before) ? sentence.before : sentence.heading
  if (isQuestion(question) && ANSWERS_NO.test(whole) && AUTHORED.test(question)) return DENIES
  if (isQuestion(whole)) return null
  const refused = OF_OTHERS.test(whole)
    ? null
    : whole
        .split(CLAUSES)
        .filter((clause) => isRefused(clause, { whole, sentence, isOfAgents }))
        .map(refusal)
        .reduce<Finding | null>(stricter, null)
  return stricter(refused, requirement(whole, sentence, isOfAgents))
}

const quoteOf = (text: string): string => (text.length <= QUOTE_LENGTH ? text : `${text.slice(0, QUOTE_LENGTH - 1)}…`)

/**
 * Decides what the maintainers say of contributions by agents. The strictest sentence of all texts wins, the first of equal ones. `repo`:
 * `owner/name`; `deniedRepos`: patterns of the operator. Source: lifecycle, "Maintainer policy".
 */
export const decidePolicy = (repo: string, texts: readonly PolicyText[], deniedRepos: readonly string[]): PolicyDecision => {
  if (isDeniedRepo(repo, deniedRepos))
    return { verdict: 'denies', reason: 'repo_denylisted', path: null, quote: null, forbidsTrailers: false }
  let decided: PolicyDecision = { verdict: 'allows', reason: null, path: null, quote: null, forbidsTrailers: false }
  for (const source of texts) {
    for (const sentence of policySentences(source)) {
      const found = findIn(sentence, IS_OF_AGENTS.test(source.path))
      if (found === null) continue
      const forbidsTrailers = decided.forbidsTrailers || found.forbidsTrailers === true
      const isStricter = severity(found.verdict) < severity(decided.verdict)
      const { verdict, reason } = found
      decided = { ...(isStricter ? { verdict, reason, path: source.path, quote: quoteOf(sentence.text) } : decided), forbidsTrailers }
    }
  }
  return decided
}
