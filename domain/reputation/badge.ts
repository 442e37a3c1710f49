import type { VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import type { BadgeService, BadgeSigner } from '../../schemas/reputation/shapes.ts'
import type { VerdictItem, VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import { iso } from '../common/instants.ts'
import { pick } from '../common/pick.ts'
import { isMachine, ON_CHAIN } from '../sessions/deciders.ts'
import type { Resolution } from '../sessions/resolution.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
const NAME_LENGTH = 140

type Decided = Pick<BadgeFacts, 'verifierMode' | 'handler' | 'resolution'>

/** Verifier mode in a badge: `human_fallback` unless a handler of the service decided; for it a pull request and a profile are deterministic. */
export function badgeVerifierMode({ verifierMode, handler }: Omit<Decided, 'resolution'>): BadgeService['verifierMode'] {
  if (handler === null || !isMachine({ handler })) return 'human_fallback'
  return verifierMode === 'codehost_pr' || verifierMode === 'verification_profile' ? 'deterministic' : verifierMode
}

const describeVerifier = (facts: Decided): string => {
  if (facts.handler === ON_CHAIN) return 'a verifier approved it by its own transaction'
  const mode = badgeVerifierMode(facts)
  return mode === 'human_fallback' ? 'the job accepts every valid submission' : `the ${mode} verifier approved it`
}

const describeArbitration = ({ verdict, workerShareBps }: Resolution): string =>
  verdict === 'split'
    ? `the arbitrator divided the reward, and the worker got ${workerShareBps / 100} %`
    : 'the arbitrator decided for the worker'

const describeResolution = (facts: Decided): string => {
  const { resolution } = facts
  switch (resolution.kind) {
    case 'verifier':
      return describeVerifier(facts)
    case 'human_review':
      return 'a reviewer approved it'
    case 'arbitration':
      return describeArbitration(resolution)
    case 'timeout':
      return `there was no decision in time, and the worker got ${resolution.workerShareBps / 100} % of the reward`
  }
}

const describeBadge = ({ jobTitle, replacedVerdict, ...facts }: BadgeFacts): string => {
  const before = replacedVerdict === null ? '' : ` The verdict before was ${replacedVerdict.outcome} (${replacedVerdict.reasonCode}).`
  return `Work on "${jobTitle}": ${describeResolution(facts)}.${before}`
}

/** Title of the work in the description of a badge; the title may have quotes of its own. */
export const titleOfWork = (description: string): string => /^Work on "(.*)": /s.exec(description)?.[1] ?? description

/** Input of a badge. Wallets in lower case, instants in epoch ms, sums in base units of `asset`. */
export interface BadgeFacts {
  jobId: string
  jobTitle: string
  chainJobId: string
  sessionId: string
  category: string
  /** 1 single payout, 2 milestone job. */
  level: number
  verifierMode: VerifierMode
  /** Handler of the verdict that was paid; null when a dispute decided. */
  handler: string | null
  resolution: Resolution
  /** The verdict that the decision replaced; null without one. */
  replacedVerdict: { outcome: VerdictOutcome; reasonCode: string; resolvedAt: string; items: VerdictItem[] } | null
  /** Checks of the decision that was paid. */
  items: VerdictItem[]
  asset: { symbol: string; decimals: number }
  /** Paid to the worker. */
  rewardRaw: bigint
  /** Locked stake; zero when waived. */
  claimStakeRaw: bigint
  evidenceHash: string
  worker: string
  /** Null when unknown. */
  poster: string | null
  verifier: string | null
  listedAt: number
  submittedAt: number
  /** When the session was resolved, as stored. */
  resolvedAt: number
  /** No trailing slashes. */
  publicBaseUrl: string
}

/** Public address of a session's badge. */
export const badgeUrl = (publicBaseUrl: string, sessionId: string): string => `${publicBaseUrl}/badges/${encodeURIComponent(sessionId)}`

/** Public address of the picture of a session's badge, as PNG: many sites show no SVG. */
export const badgePictureUrl = (publicBaseUrl: string, sessionId: string): string => `${badgeUrl(publicBaseUrl, sessionId)}/picture.png`

type Parties = Pick<BadgeFacts, 'poster' | 'verifier' | 'worker' | 'listedAt' | 'submittedAt' | 'resolvedAt'>

/** Participants of a badge or receipt; an unknown one is left out. */
export function signersOf({ poster, verifier, worker, listedAt, submittedAt, resolvedAt }: Parties): BadgeSigner[] {
  const operator: BadgeSigner[] = poster === null ? [] : [{ role: 'operator', wallet: poster, at: iso(listedAt), status: 'posted' }]
  const decided: BadgeSigner[] = verifier === null ? [] : [{ role: 'verifier', wallet: verifier, at: iso(resolvedAt), status: 'signed' }]
  return [...operator, { role: 'worker', wallet: worker, at: iso(submittedAt), status: 'submitted' }, ...decided]
}

function serviceOf(facts: BadgeFacts): BadgeService {
  const toAmount = (raw: bigint) => ({ asset: facts.asset.symbol, amount: raw.toString(), decimals: facts.asset.decimals })
  return {
    schemaVersion: 'v1',
    ...pick(facts, 'jobId', 'chainJobId', 'sessionId', 'category', 'level', 'evidenceHash', 'worker'),
    verifierMode: badgeVerifierMode(facts),
    reward: toAmount(facts.rewardRaw),
    claimStake: toAmount(facts.claimStakeRaw),
    completedAt: iso(facts.resolvedAt),
    poster: facts.poster ?? ZERO_ADDRESS,
    verifier: facts.verifier ?? ZERO_ADDRESS,
    metadataURI: badgeUrl(facts.publicBaseUrl, facts.sessionId),
  }
}

/** Unsigned Agent Badge v1 of a session that was paid. Work that is finally rejected or ended by the contract's time-out has none. */
export function buildBadge(facts: BadgeFacts) {
  const service = serviceOf(facts)
  return {
    name: `${PRODUCT_NAME} Agent Badge — ${facts.category} level ${facts.level}`.slice(0, NAME_LENGTH),
    description: describeBadge(facts),
    image: badgePictureUrl(facts.publicBaseUrl, facts.sessionId),
    external_url: badgeUrl(facts.publicBaseUrl, facts.sessionId),
    attributes: [
      { trait_type: 'Category', value: facts.category },
      { trait_type: 'Level', value: facts.level },
      { trait_type: 'Verifier', value: service.verifierMode },
    ],
    service,
    resolution: {
      ...pick(facts.resolution, 'kind', 'verdict', 'workerShareBps'),
      ...(facts.replacedVerdict !== null && { replacedVerdict: facts.replacedVerdict }),
    },
    items: facts.items,
    signers: signersOf(facts),
  }
}
export type AgentBadge = ReturnType<typeof buildBadge>
