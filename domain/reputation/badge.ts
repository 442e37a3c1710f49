import type { VerifierMode } from '../../schemas/catalogue/job-definition.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import { canonicalJson } from '../common/canonical-json.ts'
import { iso } from '../common/instants.ts'

export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
const NAME_LENGTH = 140

export type BadgeVerifierMode = 'benchmark' | 'deterministic' | 'human_fallback'

/** Who decided a session: a handler or a person. */
export type DecidedBy = 'machine' | 'person'

/** Verifier mode in a badge; a pull request is deterministic only when the handler decided. */
export function badgeVerifierMode(mode: VerifierMode, decidedBy: DecidedBy): BadgeVerifierMode {
  if (mode !== 'codehost_pr') return mode
  return decidedBy === 'machine' ? 'deterministic' : 'human_fallback'
}

/** Amount of a badge or receipt. */
export interface AssetAmount {
  asset: string
  /** Digits, smallest unit. */
  amount: string
  decimals: number
}

/** Participant of a badge. `at` is ISO 8601. */
export interface BadgeSigner {
  role: 'operator' | 'verifier' | 'worker'
  wallet: string
  at: string
  status: 'posted' | 'signed' | 'submitted'
}

export interface BadgeService {
  schemaVersion: 'v1'
  jobId: string
  chainJobId: string
  sessionId: string
  category: string
  level: number
  verifierMode: BadgeVerifierMode
  reward: AssetAmount
  claimStake: AssetAmount
  evidenceHash: string
  completedAt: string
  worker: string
  poster: string
  verifier: string
  metadataURI?: string
}

/** Unsigned Agent Badge v1. Source: specification, "Agent badge metadata". */
export interface AgentBadge {
  name: string
  description: string
  external_url: string
  attributes: { trait_type: string; value: string | number }[]
  service: BadgeService
  signers: BadgeSigner[]
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
  const sum = (raw: bigint): AssetAmount => ({ asset: facts.asset.symbol, amount: raw.toString(), decimals: facts.asset.decimals })
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

/** Unsigned badge of an approved session. Rejected, timed-out and inconclusive work never gets one. */
export function buildBadge(facts: BadgeFacts): AgentBadge {
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

/** Bytes of a detached signature: the canonical document without its root member `signature`. Source: identity, "Detached signature". */
export function badgeSigningBytes(document: object): Uint8Array {
  const { signature: _signature, ...signed } = document as Record<string, unknown>
  return new TextEncoder().encode(canonicalJson(signed))
}
