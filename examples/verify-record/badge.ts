// What an Agent Badge says, and what it does not prove.
import { rawOf, wholeUnits } from './encoding/amounts.ts'
import { assert, assertRules, canonical, instantOf, isObject, type Members, type Rules, textOf } from './encoding/json.ts'
import { type Sentence, sentence } from './sentence.ts'
import * as is from './shape.ts'
import {
  ALL_HANDLERS,
  checkIds,
  checkItems,
  checkResolution,
  checkSigners,
  isDecision,
  isFindingOf,
  items,
  outcomeOf,
  resolution,
  signature,
  signers,
} from './verdict.ts'

const amount = is.closed({ asset: is.text(/./), amount: is.raw, decimals: is.integer(0, 30) })
const wallet = is.text(/^0x[0-9a-f]{40}$/)
const service = is.closed(
  {
    schemaVersion: is.oneOf('v1'),
    jobId: is.text(/./),
    chainJobId: is.bytes32,
    sessionId: is.text(/./),
    category: is.text(/./),
    level: is.integer(1, 255),
    verifierMode: is.oneOf('benchmark', 'deterministic', 'human_fallback'),
    reward: amount,
    claimStake: amount,
    evidenceHash: is.bytes32,
    completedAt: is.instant,
    worker: is.party,
    poster: wallet,
    verifier: wallet,
  },
  { metadataURI: is.address },
)

/** Shape of Agent Badge v1: open at its root, closed in `service`. */
const badgeShape = is.open(
  {
    name: is.text(/^.{0,140}$/s),
    description: is.text(/^.{0,1024}$/s),
    external_url: is.address,
    attributes: is.list(is.closed({ trait_type: is.anyText, value: is.anything })),
    service,
    resolution,
    items,
    signature,
  },
  { image: is.address, signers, lineage: is.object },
)

const amountText = (stated: unknown): string => {
  const { asset, amount: raw, decimals } = stated as { asset: string; amount: string; decimals: number }
  return `${wholeUnits(BigInt(raw), decimals)} ${asset}`
}

const known = (address: unknown): unknown => (address === `0x${'0'.repeat(40)}` ? null : address)

/** A badge and its parts. */
interface Facts {
  badge: Members
  stated: Members
  decided: Members
}

/** Handlers that decide in each mode, and the sentence of each. */
const BY_MODE: Readonly<Record<string, readonly (readonly [handler: string, sentence: string])[]>> = {
  benchmark: [['benchmark', 'the benchmark verifier approved it']],
  deterministic: [
    ['deterministic', 'the deterministic verifier approved it'],
    ['codehost_pr', 'the deterministic verifier approved it'],
    ['verification_profile', 'the deterministic verifier approved it'],
  ],
  human_fallback: [
    ['chain', 'a verifier approved it by its own transaction'],
    ['human_fallback', 'the job accepts every valid submission'],
  ],
}

/** Decision in a description; null if the checks are those of no handler that can decide so. */
const sentenceOf = ({ badge: { items: checks }, stated, decided }: Facts): string | null => {
  const { kind, verdict, workerShareBps } = decided
  const finding = { outcome: 'approved', reasonCode: null, items: checks }
  if (kind === 'human_review') return isFindingOf(['human_review'], finding) ? 'a reviewer approved it' : null
  if (kind === 'verifier') return BY_MODE[String(stated.verifierMode)]?.find(([handler]) => isFindingOf([handler], finding))?.[1] ?? null
  if (!isDecision(decided, 'approved', checks, ALL_HANDLERS)) return null
  const share = `${Number(workerShareBps) / 100} %`
  if (kind === 'timeout') return `there was no decision in time, and the worker got ${share} of the reward`
  return verdict === 'split' ? `the arbitrator divided the reward, and the worker got ${share}` : 'the arbitrator decided for the worker'
}

const isDescribed = (facts: Facts): boolean => {
  const replaced = facts.decided.replacedVerdict
  const before = isObject(replaced) ? ` The verdict before was ${replaced.outcome} (${replaced.reasonCode}).` : ''
  const { description } = facts.badge
  return String(description).startsWith('Work on "') && String(description).endsWith(`": ${sentenceOf(facts)}.${before}`)
}

const isTitled = ({ badge: { name }, stated: { category, level } }: Facts): boolean =>
  name === `Agent Work Service Agent Badge — ${category} level ${level}`.slice(0, 140)

const hasTraits = ({ badge: { attributes }, stated: { category, level, verifierMode } }: Facts): boolean => {
  const traits = Object.entries({ Category: category, Level: level, Verifier: verifierMode })
  return canonical(attributes) === canonical(traits.map(([trait_type, value]) => ({ trait_type, value })))
}

const RULES: Rules<Facts> = {
  'its address is that of another session': ({ badge: { external_url: url }, stated: { sessionId } }) =>
    String(url).endsWith(`/badges/${encodeURIComponent(String(sessionId))}`),
  'it has two addresses': ({ badge: { external_url: url }, stated: { metadataURI } }) => metadataURI === undefined || metadataURI === url,
  'its amounts are of two assets': ({ stated: { reward, claimStake } }) =>
    canonical({ ...(reward as Members), amount: null }) === canonical({ ...(claimStake as Members), amount: null }),
  'its work was not approved': ({ decided: { verdict } }) => outcomeOf(verdict) === 'approved',
  'people decided, and its verifierMode says otherwise': ({ decided: { kind }, stated: { verifierMode } }) =>
    kind === 'verifier' || verifierMode === 'human_fallback',
  'its checks are not those of its decision': (facts) => sentenceOf(facts) !== null,
  'its name is not that of its category and level': isTitled,
  'its attributes are not those of its service': hasTraits,
  'its description does not follow from its decision': isDescribed,
}

/** Refuses a badge that does not follow its format or contradicts itself: ids, checks, decision, texts, participants, dates. */
export const checkBadge = (badge: Members): void => {
  badgeShape(badge, '')
  const [stated, decided] = [badge.service as Members, badge.resolution as Members]
  const { worker, poster, verifier } = stated
  checkIds(stated)
  const [signedAt, completedAt] = [textOf(badge.signature as Members, 'signedAt'), textOf(stated, 'completedAt')]
  assert(instantOf(signedAt) >= instantOf(completedAt), 'it was signed before the work was complete: it is backdated')
  checkItems('approved', badge.items as Members[])
  const shown = badge.signers as Members[] | undefined
  const submitted = shown?.find(({ role }) => role === 'worker')?.at ?? null
  const submittedAt = submitted === null ? null : String(submitted)
  checkResolution({ resolution: decided, paidRaw: rawOf(stated.reward as Members, 'amount'), submittedAt, signedAt })
  assertRules(RULES, { badge, stated, decided })
  const parties = { poster: known(poster), worker, verifier: known(verifier), submittedAt: null, decidedAt: completedAt, signedAt }
  if (shown !== undefined) checkSigners(shown, parties)
}

/** A checked badge in one sentence. */
export const describeBadge = (badge: Members): Sentence => {
  const [stated, decided] = [badge.service as Members, badge.resolution as Members]
  const { worker, jobId, reward, completedAt } = stated
  const decision = sentenceOf({ badge, stated, decided }) ?? ''
  return sentence`Wallet ${{ id: String(worker) }} did the job ${{ id: String(jobId) }} and was paid ${amountText(reward)}; ${decision}, and it was complete on ${{ at: String(completedAt) }}.`
}

/** Sentences that a checked badge states. */
export const readBadge = (badge: Members): string[] => {
  const [service, { workerShareBps }] = [badge.service as Members, badge.resolution as Members]
  const decision = workerShareBps === 10_000 ? 'was approved' : `pays ${Number(workerShareBps) / 100} % of the reward`
  return [
    `Wallet ${service.worker} did the job ${service.jobId} (${service.category}); the session is ${service.sessionId}.`,
    `It ${decision} (${service.verifierMode}) and was complete at ${service.completedAt}; the worker was paid ${amountText(service.reward)}.`,
    ...(badge.items as Members[]).map(({ criterion, result }) => `  ${criterion}: ${result}`),
    `The hash of the evidence is ${service.evidenceHash}.`,
  ]
}

export const BADGE_CHECKED = [
  'The signature fits the record, and its key was valid on that day.',
  'Every member has its form, and none was added.',
  'Job, session, worker and signers belong together.',
  'Checks, decision, payment, texts and dates do not contradict one another.',
]

export const BADGE_DOES_NOT_PROVE = [
  'that the wallet belongs to a certain person or program',
  'that the payment was mined: look for the job on chain by its chainJobId',
  'what the work was: the evidence is bound by its hash only',
]
