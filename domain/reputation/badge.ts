import type { VerifierMode } from '../../schemas/catalogue/job-definition.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import type { BadgeService, BadgeSigner } from '../../schemas/reputation/shapes.ts'
import { iso } from '../common/instants.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
const NAME_LENGTH = 140

/** Who decided a session: a handler or a person. */
export type DecidedBy = 'machine' | 'person'

/** Verifier mode in a badge; a pull request is deterministic only when the handler decided. */
export function badgeVerifierMode(mode: VerifierMode, decidedBy: DecidedBy): BadgeService['verifierMode'] {
  if (mode !== 'codehost_pr') return mode
  return decidedBy === 'machine' ? 'deterministic' : 'human_fallback'
}

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
  decidedBy: DecidedBy
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
  appUrl: string
}

/** Public address of a session's badge. */
export const badgeUrl = (publicBaseUrl: string, sessionId: string): string => `${publicBaseUrl}/badges/${encodeURIComponent(sessionId)}`

function signersOf({ poster, verifier, worker, listedAt, submittedAt, resolvedAt }: BadgeFacts): BadgeSigner[] {
  const operator: BadgeSigner[] = poster === null ? [] : [{ role: 'operator', wallet: poster, at: iso(listedAt), status: 'posted' }]
  const decided: BadgeSigner[] = verifier === null ? [] : [{ role: 'verifier', wallet: verifier, at: iso(resolvedAt), status: 'signed' }]
  return [...operator, { role: 'worker', wallet: worker, at: iso(submittedAt), status: 'submitted' }, ...decided]
}

function serviceOf(facts: BadgeFacts): BadgeService {
  const sum = (raw: bigint) => ({ asset: facts.asset.symbol, amount: raw.toString(), decimals: facts.asset.decimals })
  const { jobId, chainJobId, sessionId, category, level, evidenceHash, worker } = facts
  return {
    schemaVersion: 'v1',
    ...{ jobId, chainJobId, sessionId, category, level, evidenceHash, worker },
    verifierMode: badgeVerifierMode(facts.verifierMode, facts.decidedBy),
    reward: sum(facts.rewardRaw),
    claimStake: sum(facts.claimStakeRaw),
    completedAt: iso(facts.resolvedAt),
    poster: facts.poster ?? ZERO_ADDRESS,
    verifier: facts.verifier ?? ZERO_ADDRESS,
    metadataURI: badgeUrl(facts.publicBaseUrl, sessionId),
  }
}

/** Unsigned Agent Badge v1 of an approved session. Rejected, timed-out and inconclusive work never gets one. */
export function buildBadge(facts: BadgeFacts) {
  const service = serviceOf(facts)
  return {
    name: `${PRODUCT_NAME} Agent Badge — ${facts.category} level ${facts.level}`.slice(0, NAME_LENGTH),
    description: `Approved work on "${facts.jobTitle}", judged by ${service.verifierMode}.`,
    external_url: `${facts.appUrl}/agents/${facts.worker}`,
    attributes: [
      { trait_type: 'Category', value: facts.category },
      { trait_type: 'Level', value: facts.level },
      { trait_type: 'Verifier', value: service.verifierMode },
    ],
    service,
    signers: signersOf(facts),
  }
}
export type AgentBadge = ReturnType<typeof buildBadge>
