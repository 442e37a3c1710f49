// What a command computes of a draft itself, from the definition that the service answers with: ids, hashes and the call that funds it.
import { canonical } from '../../../examples/verify-record/encoding/json.ts'
import { isObject } from '../../src/json.ts'
import type { Answer } from '../../src/types.ts'
import { word } from '../chain/calls.ts'
import { refused } from '../failures.ts'
import { keccak } from '../key/address.ts'
import { wholeUnits } from '../output/amounts.ts'

export type Draft = Answer<'getJobDraft'>

/** Terms of a funding, base units, computed from a definition. */
export interface FundingTerms {
  /** Arguments of the creation in the order of the contract, 32 bytes each as hex digits. */
  words: readonly string[]
  /** Reward, reserves and fee together. */
  totalRaw: bigint
}

const hashOf = (text: string): string => `0x${keccak(Buffer.from(text)).toString('hex')}`
const idIn = (domain: string, poster: string, contentHash: string): string => hashOf(canonical({ contentHash, domain, poster }))

const refuse = (what: string): never => {
  throw refused(`The draft of the service ${what}. Nothing was sent.`)
}

const textOf = (definition: Draft['definition'], name: string): string => {
  const value = definition[name]
  return typeof value === 'string' ? value : refuse(`has no ${name}`)
}

const rawOf = (definition: Draft['definition'], name: string): bigint => {
  const digits = textOf(definition, name)
  return /^[0-9]{1,40}$/.test(digits) ? BigInt(digits) : refuse(`has no amount as its ${name}`)
}

const assertEqual = (name: string, found: unknown, expected: unknown): void => {
  if (found !== expected) refuse(`has another ${name} than its definition`)
}

/**
 * Terms of the funding of a draft. Refuses a draft whose ids, hash, call or sum do not follow from its definition and the wallet: a funding with
 * other terms is never listed.
 */
export const fundingTerms = (draft: Draft, wallet: string): FundingTerms => {
  const { definition, fundingRequirement: requirement, calldata } = draft
  const { id, ...content } = definition
  const specHash = hashOf(canonical(content))
  const jobId = idIn('service.external-job.v1', wallet, specHash)
  assertEqual('specHash', draft.specHash, specHash)
  assertEqual('jobId', draft.jobId, jobId)
  assertEqual('id', id, jobId)
  assertEqual('draftId', draft.draftId, idIn('service.external-quote.v1', wallet, specHash))
  const amounts = [
    rawOf(definition, 'rewardAmountRaw'),
    rawOf(definition, 'opsReserveRaw'),
    rawOf(definition, 'contingencyReserveRaw'),
  ] as const
  const [rewardRaw, opsReserveRaw, contingencyReserveRaw] = amounts
  assertEqual('reward', requirement.rewardRaw, rewardRaw)
  assertEqual('opsReserve', requirement.opsReserveRaw, opsReserveRaw)
  assertEqual('contingencyReserve', requirement.contingencyReserveRaw, contingencyReserveRaw)
  assertEqual('asset', requirement.asset, definition.rewardAsset)
  const totalRaw = rewardRaw + opsReserveRaw + contingencyReserveRaw + requirement.protocolFeeRaw
  assertEqual('sum', requirement.posterReservedRaw, totalRaw)
  const { claimTtlSeconds } = definition
  const ttl = Number.isSafeInteger(claimTtlSeconds) && Number(claimTtlSeconds) > 0 ? BigInt(Number(claimTtlSeconds)) : refuse('has no time')
  const label = (name: string): string => hashOf(textOf(definition, name).toLowerCase())
  const args: (string | bigint)[] = [jobId, requirement.assetAddress, ...amounts, ttl, label('verifierMode'), label('category'), specHash]
  assertEqual('call', calldata.args.join().toLowerCase(), args.join().toLowerCase())
  return { words: args.map(word), totalRaw }
}

/** Members of a definition that the service takes over as they are. */
const KEPT = [
  'title',
  'description',
  'tier',
  'jobType',
  'requiredRole',
  'rewardAsset',
  'verifierMode',
  'inputSchemaRef',
  'outputSchemaRef',
  'claimTtlSeconds',
  'retryLimit',
  'acceptanceCriteria',
  'agentInstructions',
  'designatedClaimants',
] as const

const trimmed = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim() : Array.isArray(value) ? value.map((item) => trimmed(item)) : value

/** Refuses a draft with other terms than the definition that was sent. */
export const assertDrafted = (draft: Draft, sent: unknown): void => {
  if (!isObject(sent)) return
  const { definition, fundingRequirement: requirement } = draft
  const differs = (name: string): never => refuse(`has another ${name} than the file`)
  for (const name of KEPT) if (sent[name] !== undefined && canonical(trimmed(sent[name])) !== canonical(definition[name])) differs(name)
  const amounts = [
    ['rewardAmount', requirement.rewardRaw],
    ['opsReserve', requirement.opsReserveRaw],
    ['contingencyReserve', requirement.contingencyReserveRaw],
  ] as const
  for (const [name, raw] of amounts) if (Number(wholeUnits(raw, requirement.decimals)) !== (sent[name] ?? 0)) differs(name)
}
