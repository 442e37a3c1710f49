import { HUMANS_ONLY, IN_ANY_CASE, NO_PROPOSALS, OF_OTHERS, WITH_FAULT, WITHOUT_DISCLOSURE, WITHOUT_HUMAN } from './patterns.ts'
import type { PolicySentence } from './sentences.ts'
import {
  ANY_AUTHOR,
  AUTHOR,
  AUTHORED,
  BARE_REFUSAL,
  CLEAR_AUTHOR,
  CONTRIBUTION,
  MADE_BY,
  NAMES_PROPOSAL,
  NOT,
  PROPOSAL,
  REFUSED,
  words,
} from './vocabulary.ts'

/**
 * What a file is for. Of a `contribution` guide every sentence is about contributions. `agents` instructs agents how to work, `other` is about
 * anything: there a sentence has to refuse contributions themselves.
 */
export type FileKind = 'contribution' | 'agents' | 'other'

/** What a refusal leaves possible: nothing, or work with a person or with disclosure. */
export type RefusalScope = 'all' | 'without_human' | 'undisclosed'

const CLAUSES = /;\s+|,?\s+(?:but|however|yet|whereas)\b,?\s+/i
/** A clause whose subject stands before it. */
const REFERS_BACK =
  /\b(?:such|these|those|they|them|it|this|that|of that kind|like that)\b|^(?:\w+ )?(?:not|never|no|prohibited|forbidden|banned)\b|\bnot (?:in|for|here|on|to)\b/i
/** Under a heading of agents, rules of work that hold for everybody. */
const RULE_OF_WORK =
  /\b(?:tests?|issues? first|style|format\w*|licen[cs]e\w*|documentation|docs|secrets?|credentials?|passwords?|keys?|tokens?|generated files?|lock ?files?|dependenc\w+|branch\w*|main|master|lint\w*|confidential|personal data|private|proprietary|vendor\w*|force|migrations?|build|CI|snapshots?)\b/i
const NAMES_TASK = /\b(?:do|don't|not) (?:\w+ ){0,2}(?:work on|pick up|claim|attempt|touch|take|fix) (?:this|it|on this)/i
const IS_LIST_TITLE =
  /\bdon'?ts\b|\bnot (?:accept|allow|want|welcome|take|permitt)\w*|\b(?:prohibited|forbidden|banned|unacceptable|unwelcome)\b/i
const ASKS_OR_PERMITS = /\b(?:welcome|fine|okay|OK|allowed|permitted|accepted|may|can|encouraged|happy|disclos\w+|yes)\b/i

/** An author is refused as such: "no bots", "agents are not welcome", "AI: no". */
const AUTHOR_REFUSED = new RegExp(
  [
    `${ANY_AUTHOR}(?:[ ,:-]{1,3}(?:\\p{L}+[ ,-]+){0,4})(?:(?:not|never|n't) (?:be )?(?:\\p{L}+ ){0,1}(?:welcome|allowed|permitted|accepted|wanted|tolerated|used)|may not be used|unwelcome|banned|forbidden|prohibited|disallowed|need not apply)\\b(?! (?:to|from|in (?:tests?|production)|for|by the)\\b(?! (?:contribut|submit|open|creat|send|this|our|here|write|code|pull|interact|participat|touch)))`,
    `\\bno[ -](?:\\p{L}+[ /,]+){0,2}?${ANY_AUTHOR}(?:[ -](?:tools?|bots?|agents?|code|slop|policy|zone|project|allowed|please|here|contrib\\p{L}*|assist\\p{L}*|generated|written|(?:in|on|for|at) (?:this|our)[\\p{L} ]{0,20}|was|were|has|used|whatsoever|at all))*(?:$|[.!;,)/]| / )`,
    `\\b(?:no|anti|zero|without)[ -]?(?:AI|LLM|GenAI|bot|agent)s?[ /a-z-]{0,20} (?:policy|rule|zone|stance|pledge)\\b`,
    '\\b(?:AI|LLM)-free (?:project|repo\\p{L}*|zone|code\\p{L}*|policy)\\b',
    `\\b(?:leave|keep)\\b${words(3)} ${ANY_AUTHOR}${words(3)} (?:home|out|away|off)\\b`,
    `\\b(?:off[- ]limits|closed|forbidden|prohibited|not (?:open|available|meant|intended|a place)) (?:to|for) (?:all |any )?${ANY_AUTHOR}`,
    `\\bif you(?:'re| are| were)${words(3)} (?:${ANY_AUTHOR}|bot|agent|machine)\\b.{0,40}\\b(?:stop|go away|leave|not|no|never)\\b`,
  ].join('|'),
  'iu',
)
/** The maintainers refuse what agents propose, or agents may not propose. */
const PROPOSAL_REFUSED = new RegExp(
  [
    `${NOT}${words(4)}[ ,]+(?:accept\\p{L}*|allow\\p{L}*|permit\\p{L}*|want\\p{L}*|welcome|tak(?:e|ing)|consider\\p{L}*|interested)\\b.{0,60}${PROPOSAL}`,
    `${NOT}${words(3)}[ ,]+(?:open|submit|create|send|file|make|raise|propose|post|be used to (?:open|submit|create|write)|contribut\\p{L}+)\\b(?:,? (?:or|and) \\p{L}+)?${words(4)} ${PROPOSAL}`,
    `${NOT}${words(3)}[ ,]+contribut(?:e|ing)\\b`,
    `${PROPOSAL}.{0,100}(?:${NOT}${words(2)} (?:accepted|allowed|permitted|welcome|wanted|merged|considered|reviewed|tolerated)|\\b(?:unwelcome|banned|ban|prohibited|forbidden|rejected|refused|declined|closed|deleted|unacceptable)\\b)`,
    `\\b(?:prohibit|forbid|ban|reject|refuse|decline|close|disallow)(?:s|ed|ning)?\\b.{0,60}${PROPOSAL}`,
    `\\b(?:no|zero)[ -].{0,40}${PROPOSAL}`,
  ].join('|'),
  'iu',
)
/** What an agent may leave to others without being refused. */
export const LEAVES_TO_OTHERS = new RegExp(
  `${ANY_AUTHOR}${words(3)} (?:(?:must|may|should|shall|can|do|will) not|never|can't|don't|cannot)${words(2)} (?:merge|approve|close|rebase|squash|review|assign|label|reopen|force)\\b`,
  'iu',
)

/** Whether headings or the sentence before name an artificial author. */
export const hasTopic = ({ heading, before }: PolicySentence): boolean => AUTHOR.test(heading) || AUTHORED.test(before)

const scopeOf = (clause: string): RefusalScope => {
  if (IN_ANY_CASE.test(clause)) return 'all'
  if (WITHOUT_DISCLOSURE.test(clause)) return 'undisclosed'
  return WITHOUT_HUMAN.test(clause) ? 'without_human' : 'all'
}

interface Context {
  whole: string
  sentence: PolicySentence
  kind: FileKind
}

/** In a file of contributions: author and refusal meet in a clause, or the clause refuses what stands before or above it. */
const isRefusedInGuide = (clause: string, { whole, sentence }: Context): boolean => {
  const { heading, before } = sentence
  if (IS_LIST_TITLE.test(heading) && AUTHORED.test(clause) && !ASKS_OR_PERMITS.test(clause)) return true
  const isRefused = REFUSED.test(clause)
  if (BARE_REFUSAL.test(clause) && (AUTHOR.test(before) || AUTHOR.test(heading))) return true
  if (!isRefused) return false
  if (CLEAR_AUTHOR.test(clause)) return !LEAVES_TO_OTHERS.test(clause)
  if (AUTHOR.test(clause)) return PROPOSAL_REFUSED.test(clause) || AUTHOR_REFUSED.test(clause) || AUTHORED.test(clause)
  if (RULE_OF_WORK.test(clause)) return false
  return AUTHOR.test(heading) || (REFERS_BACK.test(clause) && (AUTHOR.test(whole) || AUTHOR.test(before)))
}

/** Elsewhere: contributions of an author are refused, or the author as such. */
const isRefusedElsewhere = (clause: string, { whole, sentence, kind }: Context): boolean => {
  const { heading, before } = sentence
  if (LEAVES_TO_OTHERS.test(clause)) return false
  const refersToProposals = REFERS_BACK.test(clause) && NAMES_PROPOSAL.test(before)
  if (AUTHOR.test(clause))
    return (
      [AUTHOR_REFUSED, PROPOSAL_REFUSED, NAMES_TASK].some((pattern) => pattern.test(clause)) || (refersToProposals && REFUSED.test(clause))
    )
  if (kind === 'agents' && NO_PROPOSALS.test(whole)) return true
  const isOfProposals = NAMES_PROPOSAL.test(whole) || NAMES_PROPOSAL.test(before) || /polic|contribut|pull request/i.test(heading)
  const hasAuthor =
    AUTHOR.test(before) ||
    AUTHOR.test(whole) ||
    (AUTHOR.test(heading) && (kind === 'other' || /polic|contribut|pull request/i.test(heading)))
  if (!hasAuthor) return false
  if (BARE_REFUSAL.test(clause)) return isOfProposals || (kind === 'other' && AUTHOR.test(heading) && !heading.endsWith('?'))
  if (RULE_OF_WORK.test(clause)) return false
  return PROPOSAL_REFUSED.test(clause) || (isOfProposals && REFUSED.test(clause) && REFERS_BACK.test(clause))
}

const isClauseRefused = (clause: string, context: Context): boolean => {
  if (WITH_FAULT.test(clause) && !IN_ANY_CASE.test(clause)) return false
  if (HUMANS_ONLY.test(clause))
    return context.kind !== 'other' || hasTopic(context.sentence) || CONTRIBUTION.test(context.whole) || /\bplease\b/i.test(clause)
  return context.kind === 'contribution' ? isRefusedInGuide(clause, context) : isRefusedElsewhere(clause, context)
}

/** What the clauses of a sentence refuse to artificial authors; empty for nothing. `whole` is its text without what is no author or no refusal. */
export const findRefusals = (whole: string, sentence: PolicySentence, kind: FileKind): RefusalScope[] =>
  OF_OTHERS.test(whole)
    ? []
    : whole
        .split(CLAUSES)
        .filter((clause) => isClauseRefused(clause, { whole, sentence, kind }))
        .map(scopeOf)

/** A sentence speaks of contributions that artificial authors make, without a word whether they may. */
export const leavesDoubt = (whole: string): boolean => MADE_BY.test(whole) || (CLEAR_AUTHOR.test(whole) && CONTRIBUTION.test(whole))
