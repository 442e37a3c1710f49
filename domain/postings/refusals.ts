import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import { get } from '../../schemas/common/error-row.ts'
import { type ErrorCode, type FieldError, ServiceError } from '../../schemas/errors.ts'
import { REFUSED_MEMBERS, type RefusedMember } from '../../schemas/postings/definition-input.ts'
import { POSTING_ERRORS } from '../../schemas/postings/errors.ts'
import { DESIGNATED_REWARD_CAP_RAW } from '../common/constants.ts'
import { checksumAddress } from '../common/ids.ts'
import { type Asset, amountText, parseUnitsExact, toDisplay } from '../common/money.ts'

/** A definition as a caller sent it. */
export type SentDefinition = Readonly<Record<string, unknown>>

const READ_TERMS = get('/poster/onboarding', 'Read the terms of posting, then change the definition.')

/**
 * A refusal with the broken rules, whose pointers begin at the definition; rule and limit of the first one stand in `details` too. A code that
 * other requests have too leads to the terms of posting.
 */
export const refuseDefinition = (code: ErrorCode, broken: readonly FieldError[], cause?: unknown): ServiceError => {
  const [first] = broken
  const errors = broken.map((one) => ({ ...one, pointer: `/definition${one.pointer}` }))
  const { rule, limit } = first ?? {}
  return new ServiceError(code, {
    detail: first?.message,
    errors,
    cause,
    details: { ...(rule !== undefined && { rule }), ...(limit !== undefined && { limit }) },
    ...(!Object.hasOwn(POSTING_ERRORS, code) && { nextActions: [READ_TERMS] }),
  })
}

const refuseOne = (code: ErrorCode, broken: FieldError): ServiceError => refuseDefinition(code, [broken])

const SERVICE_GIVES: readonly [ErrorCode, string] = ['invalid_request', 'The service gives a posted job this member.']
const PAYS_ONCE: readonly [ErrorCode, string] = [
  'external_payout_mode_not_supported',
  'A posted job pays once, without milestones, schedule or repetition.',
]
const BUILT_IN: readonly [ErrorCode, string] = ['external_schema_not_supported', 'Posted jobs use the built-in schemas.']

/** Code and sentence for each member that is known only to be refused. */
const REFUSALS: Record<RefusedMember, readonly [ErrorCode, string]> = {
  requiresSponsoredGas: ['external_sponsored_gas_forbidden', 'The workers of a posted job pay their own gas.'],
  onboardingWaiverEligible: ['external_onboarding_waiver_forbidden', 'The bond of a posted job is never waived.'],
  payoutMode: PAYS_ONCE,
  milestones: PAYS_ONCE,
  recurring: PAYS_ONCE,
  recurringPolicy: PAYS_ONCE,
  schedule: PAYS_ONCE,
  externalSchema: BUILT_IN,
  schemaRegistrations: BUILT_IN,
  schemaTrustPolicy: BUILT_IN,
  id: SERVICE_GIVES,
  lifecycle: SERVICE_GIVES,
  lineage: SERVICE_GIVES,
  parentSessionId: SERVICE_GIVES,
}

/** Throws for the first member that is known only to be refused; its presence is enough, whatever its value. */
export function refuseForbiddenMembers(sent: SentDefinition): void {
  const member = REFUSED_MEMBERS.find((name) => Object.hasOwn(sent, name))
  if (member === undefined) return
  const [code, message] = REFUSALS[member]
  throw refuseOne(code, { pointer: `/${member}`, rule: 'forbidden_member', message })
}

/** Bounds of a reward in base units of its asset. */
export interface RewardBounds {
  asset: Asset
  minRewardRaw: bigint
  maxRewardRaw: bigint
}

/** The reward and the reserves of a posting, base units. */
export interface PostedAmounts {
  rewardRaw: bigint
  opsReserveRaw: bigint
  contingencyReserveRaw: bigint
}

/** Base units of a member in whole units; null unless it is a number, not negative, that the asset can express. */
const rawOf = (value: unknown, { decimals }: Asset): bigint | null => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return null
  try {
    return parseUnitsExact(String(value), decimals)
  } catch {
    return null
  }
}

function readAmount(sent: SentDefinition, member: string, asset: Asset): bigint {
  const raw = rawOf(sent[member], asset)
  if (raw !== null) return raw
  const message = `${member} is a number of whole ${asset.symbol} with at most ${asset.decimals} decimal places.`
  throw refuseOne('external_reward_invalid_shape', { pointer: `/${member}`, rule: 'whole_units', limit: asset.decimals, message })
}

function readReserve(sent: SentDefinition, member: string, { asset, maxRewardRaw }: RewardBounds): bigint {
  const raw = sent[member] === undefined ? 0n : readAmount(sent, member, asset)
  if (raw <= maxRewardRaw) return raw
  const limit = toDisplay(maxRewardRaw, asset.decimals)
  const message = `A reserve is at most ${amountText(maxRewardRaw, asset)}, as a reward.`
  throw refuseOne('external_reward_above_ceiling', { pointer: `/${member}`, rule: 'maximum_reserve', limit, message })
}

/** Amounts of a definition. Throws for another asset, for no number, and for a reward outside its bounds. */
export function readAmounts(sent: SentDefinition, bounds: RewardBounds): PostedAmounts {
  const { asset, minRewardRaw, maxRewardRaw } = bounds
  const { rewardAsset = asset.symbol } = sent
  if (rewardAsset !== asset.symbol) {
    const message = `Rewards of posted jobs are paid in ${asset.symbol}.`
    throw refuseOne('external_reward_asset_not_supported', { pointer: '/rewardAsset', rule: 'asset', limit: asset.symbol, message })
  }
  const rewardRaw = readAmount(sent, 'rewardAmount', asset)
  const refuseReward = (code: ErrorCode, rule: string, boundRaw: bigint, side: string) =>
    refuseOne(code, {
      pointer: '/rewardAmount',
      rule,
      limit: toDisplay(boundRaw, asset.decimals),
      message: `The reward is at ${side} ${amountText(boundRaw, asset)}.`,
    })
  if (rewardRaw < minRewardRaw) throw refuseReward('external_reward_below_floor', 'minimum_reward', minRewardRaw, 'least')
  if (rewardRaw > maxRewardRaw) throw refuseReward('external_reward_above_ceiling', 'maximum_reward', maxRewardRaw, 'most')
  const opsReserveRaw = readReserve(sent, 'opsReserve', bounds)
  return { rewardRaw, opsReserveRaw, contingencyReserveRaw: readReserve(sent, 'contingencyReserve', bounds) }
}

const CLAIMANT = '/designatedClaimants/0'

/** The one wallet that a definition names, checksummed; null where every wallet may claim. */
export function readClaimant(sent: SentDefinition, rewardRaw: bigint, { poster, asset }: { poster: string; asset: Asset }): string | null {
  const { designatedClaimants: named } = sent
  if (named === undefined) return null
  if (!Array.isArray(named) || named.length !== 1) {
    const message = 'A job for a named wallet names exactly one.'
    throw refuseOne('designated_claimants_cardinality_invalid', { pointer: '/designatedClaimants', rule: 'exactly_one', limit: 1, message })
  }
  const [claimant] = named as unknown[]
  if (typeof claimant !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(claimant) || /^0x0{40}$/.test(claimant)) {
    throw refuseOne('designated_claimant_address_invalid', {
      pointer: CLAIMANT,
      rule: 'address',
      message: 'Name the claimant by its address.',
    })
  }
  if (claimant.toLowerCase() === poster.toLowerCase()) {
    const message = 'The poster cannot be the claimant of its own job.'
    throw refuseOne('designated_claimant_address_invalid', { pointer: CLAIMANT, rule: 'not_the_poster', message })
  }
  if (checksumAddress(claimant.toLowerCase()) !== claimant) {
    const message = 'Write the address of the claimant with its checksum (EIP-55).'
    throw refuseOne('designated_claimant_checksum_required', { pointer: CLAIMANT, rule: 'checksum', message })
  }
  if (rewardRaw > DESIGNATED_REWARD_CAP_RAW) {
    const limit = toDisplay(DESIGNATED_REWARD_CAP_RAW, asset.decimals)
    const message = `The reward of a job for a named wallet is at most ${amountText(DESIGNATED_REWARD_CAP_RAW, asset)}.`
    throw refuseOne('designated_agreement_reward_cap_exceeded', { pointer: '/rewardAmount', rule: 'agreement_reward', limit, message })
  }
  return claimant
}

const membersOf = (value: unknown): SentDefinition =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as SentDefinition) : {}

/** Throws for a reference to a schema that is not built in. */
export function refuseForeignSchemas(sent: SentDefinition): void {
  const references: [string, unknown][] = [
    ['/inputSchemaRef', sent.inputSchemaRef],
    ['/outputSchemaRef', sent.outputSchemaRef],
    ['/verification/evidenceSchemaRef', membersOf(sent.verification).evidenceSchemaRef],
    ['/source/outputSchemaRef', membersOf(sent.source).outputSchemaRef],
  ]
  const foreign = references.find(([, ref]) => typeof ref === 'string' && jobSchemaByRef(ref) === undefined)
  if (foreign !== undefined) throw foreignSchema(foreign[0])
}

/** Refusal of a reference to a schema that is not built in. */
export const foreignSchema = (pointer: string): ServiceError => {
  const message = 'Name a built-in schema; see GET /schemas/jobs.'
  return refuseOne('external_schema_not_supported', { pointer, rule: 'known_schema', message })
}
