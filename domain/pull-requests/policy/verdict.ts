import { POLICY_VERDICTS, type PolicyVerdict, type RepositoryPolicy } from '../../../schemas/pull-requests/policy.ts'
import { isDeniedRepo } from '../maintainer-policy.ts'
import {
  ALLOWED,
  DISCLOSE,
  HUMAN_ANSWERS,
  HUMAN_SUBMITS,
  NEEDS_NO_DISCLOSURE,
  NEGATED,
  PERMITTED,
  SIGN_OFF,
  STOP,
  TAKEN,
  TRAILER,
  WITH_FAULT,
} from './patterns.ts'
import { type FileKind, findRefusals, hasTopic, LEAVES_TO_OTHERS, leavesDoubt, type RefusalScope } from './refusals.ts'
import { type PolicySentence, type PolicyText, policySentences } from './sentences.ts'
import { AUTHOR, AUTHORED, CONTRIBUTION, NO_AUTHOR } from './vocabulary.ts'

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

/** Files that speak to agents as a whole. */
const IS_OF_AGENTS = /(?:^|\/|:)(?:ai[-_ ]?agents|agents)\.[a-z]+$/i
const IS_OF_CONTRIBUTIONS =
  /(?:^|\/|:)(?:contributing|code[-_]of[-_]conduct|(?:gen(?:erative)?[-_]?)?(?:ai|llm)s?[-_]?(?:policy|usage|contributions?|guidelines?|disclosure))(?:\.[a-z]+)?$|pull[-_]request[-_]template/i

const kindOf = (path: string): FileKind => {
  if (IS_OF_AGENTS.test(path)) return 'agents'
  return IS_OF_CONTRIBUTIONS.test(path) ? 'contribution' : 'other'
}

const ANSWERS_NO =
  /^(?:no|nope|never|not at this time|absolutely not|sorry|unfortunately|(?:please )?(?:do not|don't)|we (?:do not|don't))\b/i
const FINDINGS: Record<RefusalScope, Finding> = { all: DENIES, without_human: HUMAN, undisclosed: DISCLOSES }

const trailerFinding = (text: string): Finding | null => {
  if (!TRAILER.test(text) && !(SIGN_OFF.test(text) && AUTHOR.test(text))) return null
  if (!NEGATED.test(text)) return TRAILER.test(text) ? DISCLOSES : null
  return SIGN_OFF.test(text) && !TRAILER.test(text) ? HUMAN : { ...DISCLOSES, forbidsTrailers: true }
}

const requirement = (text: string, sentence: PolicySentence, kind: FileKind): Finding | null => {
  if (HUMAN_SUBMITS.test(text) && !NEGATED.test(text)) return HUMAN
  const isTopic = AUTHOR.test(text) || hasTopic(sentence)
  if (!isTopic && kind !== 'agents') return null
  if (HUMAN_ANSWERS.test(text)) return HUMAN
  return isTopic && DISCLOSE.test(text) && !NEEDS_NO_DISCLOSURE.test(text) ? DISCLOSES : null
}

const isQuestion = (text: string): boolean => /[?？]$/.test(text)

/** The sentence without denied refusals, and without things that are no author. */
const withoutOthers = (text: string): string => text.replace(ALLOWED, ' allow ').replace(NO_AUTHOR, ' it ')

const findIn = (sentence: PolicySentence, kind: FileKind): Finding | null => {
  const whole = withoutOthers(sentence.text)
  if (STOP.some((pattern) => pattern.test(whole)) && !isQuestion(whole) && !LEAVES_TO_OTHERS.test(whole))
    return AUTHORED.test(whole) && !/\bstop\b/i.test(whole) ? DENIES : STOPS
  const trailer = trailerFinding(whole)
  if (trailer !== null) return stricter(trailer, requirement(whole, sentence, kind))
  const question = isQuestion(sentence.before) ? sentence.before : sentence.heading
  if (isQuestion(question) && ANSWERS_NO.test(whole) && AUTHORED.test(question) && (kind === 'contribution' || CONTRIBUTION.test(question)))
    return DENIES
  if (isQuestion(whole)) return null
  const refused = findRefusals(whole, sentence, kind)
    .map((scope) => FINDINGS[scope])
    .reduce<Finding | null>(stricter, null)
  return stricter(refused, requirement(whole, sentence, kind))
}

/** An issue that its maintainers keep for others. */
const findTaken = (path: string, { text }: PolicySentence): Finding | null => (path === 'issue' && TAKEN.test(text) ? STOPS : null)

const quoteOf = (text: string): string => (text.length <= QUOTE_LENGTH ? text : `${text.slice(0, QUOTE_LENGTH - 1)}…`)

type Decided = Finding & { quote: string }

/** Findings of one text. A contribution guide that speaks of work by artificial authors, and nowhere permits it, leaves a doubt: that is a no. */
const readText = (source: PolicyText): Decided[] => {
  const kind = kindOf(source.path)
  const found: Decided[] = []
  let doubt: string | null = null
  let isPermitted = false
  for (const sentence of policySentences(source)) {
    const finding = stricter(findIn(sentence, kind), findTaken(source.path, sentence))
    if (finding !== null) found.push({ ...finding, quote: sentence.text })
    const whole = withoutOthers(sentence.text)
    if (AUTHOR.test(whole) || hasTopic(sentence)) isPermitted ||= PERMITTED.test(whole) || WITH_FAULT.test(whole)
    if (kind === 'contribution' && doubt === null && !isQuestion(whole) && leavesDoubt(whole)) doubt = sentence.text
  }
  return doubt === null || isPermitted || found.length > 0 ? found : [{ ...DENIES, quote: doubt }]
}

/**
 * Decides what the maintainers say of contributions by agents. The strictest sentence of all texts wins, the first of equal ones. `repo`:
 * `owner/name`; `deniedRepos`: patterns of the operator. Source: lifecycle, "Maintainer policy".
 */
export const decidePolicy = (repo: string, texts: readonly PolicyText[], deniedRepos: readonly string[]): PolicyDecision => {
  if (isDeniedRepo(repo, deniedRepos))
    return { verdict: 'denies', reason: 'repo_denylisted', path: null, quote: null, forbidsTrailers: false }
  let decided: PolicyDecision = { verdict: 'allows', reason: null, path: null, quote: null, forbidsTrailers: false }
  for (const source of texts) {
    for (const { verdict, reason, forbidsTrailers: forbids, quote } of readText(source)) {
      const forbidsTrailers = decided.forbidsTrailers || forbids === true
      const isStricter = severity(verdict) < severity(decided.verdict)
      decided = { ...(isStricter ? { verdict, reason, path: source.path, quote: quoteOf(quote) } : decided), forbidsTrailers }
    }
  }
  return decided
}
