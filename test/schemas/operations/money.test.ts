import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { answerExample } from '../../../api/discovery/recorded-answers.ts'
import * as accounts from '../../../schemas/accounts/withdrawal-shapes.ts'
import * as credit from '../../../schemas/credit/shapes.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { DecimalAmount, RawAmount, REQUEST_AMOUNT } from '../../../schemas/operations/values.ts'
import * as pool from '../../../schemas/pool/shapes.ts'
import * as strategies from '../../../schemas/strategies/shapes.ts'

/** Claim economics: a decimal string in whole units with `…Raw` in base units. */
const AMOUNT_PAIRS = new Set([
  ...['claimStake', 'claimFee', 'totalClaimLock', 'availableLiquidity', 'claimFundingShortfall', 'dailyExposureRemaining'],
  ...['grossReward', 'netReward', 'retained', 'stakeReturned', 'feeReturned', 'lost', 'vestedDeposit', 'threshold', 'outstandingCredit'],
  // Measurements of a valve, and the payout of an approval.
  ...['limit', 'used', 'candidate', 'projected', 'remaining', 'vested', 'base', 'raise'],
  ...['workerAmount', 'protocolFeeAmount', 'posterTotalAmount', 'gasRetentionAmount'],
  // The value at risk of a work receipt, whose schema is fixed.
  'amount',
  // A cross-chain request has an amount beside each number of the contract.
  ...['requestedAssets', 'requestedShares', 'settledAssets', 'settledShares', 'nonce', 'createdAt', 'updatedAt'],
  // The specification fixes the number of a job definition; arithmetic uses its `Raw`.
  'rewardAmount',
])

/** Members that the specification fixes: the bond policy, the quote of a posting, the reserves of a definition, and the bounds of rewards. */
const SPECIFIED = [
  ...[
    'minFeeRaw',
    'rewardRaw',
    'workerReceivesRaw',
    'opsReserveRaw',
    'contingencyReserveRaw',
    'reserveAmountRaw',
    'protocolFeeRaw',
    'posterFeeFloorRaw',
  ],
  ...['posterReservedRaw', 'minRewardUsdc', 'maxRewardUsdc'],
]
/** Words for a part of a yield and for disputes, no amounts. */
const WORDS = ['yieldShare', 'lost', 'disputesLost']
/** A limit of a request, as the answer repeats it. */
const REPEATED = ['maxBond']
/** A short row has 400 bytes: its amounts are texts with their symbol, for readers. */
const isShortRow = (members: readonly string[]) => ['waiverEligible', 'definitionUrl'].every((name) => members.includes(name))
/** Signed terms come back in a request, where an amount is digits. */
const isSignedTerms = (members: readonly string[]) => members.includes('consentNonce')
/** A payment requirement of x402, whose members the protocol fixes. */
const isPaymentRequirement = (members: readonly string[]) => ['payTo', 'maxTimeoutSeconds'].every((name) => members.includes(name))
/** The payment of the signed receipt of a run, whose members the specification fixes. */
const isRunPayment = (members: readonly string[]) => [...members].sort().join() === 'amountRaw,asset,network,transactionHash'
const isBadgeAmount = (members: readonly string[]) =>
  members.toSorted().join() === 'amount,asset,decimals' || members.includes('omittedApprovedCount')

const MONEY = [
  ...['amount', 'reward', 'payout', 'payment', 'stake', 'fee', 'lock', 'bond', 'liquid', 'liquidity', 'balance', 'shortfall'],
  ...['budget', 'allocated', 'headroom', 'subsidy', 'retained', 'refund', 'slash', 'share', 'held', 'lost', 'debt', 'reserved'],
  ...['withdrawable', 'credit', 'deposit', 'vested', 'raise', 'threshold', 'price', 'cost', 'raw', 'usdc', 'display'],
]
const isMoney = (name: string): boolean => MONEY.includes((name.match(/[A-Z]?[a-z0-9]+$/)?.[0] ?? name).toLowerCase())

/** Fault of an amount of one object, or null. */
const faultOf = (name: string, members: readonly string[]): string | null => {
  if (members.includes('raw')) return ['decimals', 'display'].every((needed) => members.includes(needed)) ? null : 'no amount object'
  if (isBadgeAmount(members) || isSignedTerms(members) || isShortRow(members) || isRunPayment(members) || isPaymentRequirement(members))
    return null
  if ([...SPECIFIED, ...WORDS, ...REPEATED].includes(name)) return null
  const base = name.replace(/Raw$/, '')
  if (!members.includes(base) || !members.includes(`${base}Raw`)) return 'neither an amount object nor a decimal string with its Raw'
  return AMOUNT_PAIRS.has(base) ? null : 'no member of the claim economics'
}

interface Node {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
  additionalProperties?: Node | boolean
  $defs?: Record<string, Node>
}

const branches = ({ anyOf = [], oneOf = [], allOf = [] }: Node): Node[] => [...anyOf, ...oneOf, ...allOf]
const UNITS = [RawAmount, DecimalAmount].map((schema) => schema.meta()?.description)
const isScalar = (node: Node): boolean => ['string', 'number', 'integer'].includes(node.type ?? '') || branches(node).some(isScalar)
const hasUnit = (node: Node): boolean => UNITS.includes(node.description) || branches(node).some(hasUnit)

/** Faults of every object of a JSON schema, each with its path. */
const faultsOfSchema = (root: Node): string[] => {
  const faults: string[] = []
  const seen = new Set<Node>()
  const visit = (node: Node, path: string): void => {
    const at = node.$ref === undefined ? node : (root.$defs?.[node.$ref.split('/').at(-1) ?? ''] ?? {})
    if (seen.has(at)) return
    seen.add(at)
    for (const branch of branches(at)) visit(branch, path)
    if (at.items !== undefined) visit(at.items, `${path}[]`)
    if (typeof at.additionalProperties === 'object') visit(at.additionalProperties, `${path}{}`)
    const members = Object.keys(at.properties ?? {})
    for (const [name, member] of Object.entries(at.properties ?? {})) {
      const fault = hasUnit(member) || (isMoney(name) && isScalar(member)) ? faultOf(name, members) : null
      if (fault !== null) faults.push(`${path}.${name}: ${fault}`)
      visit(member, `${path}.${name}`)
    }
  }
  visit(root, '')
  return faults
}

const answersOf = (spec: (typeof operationList)[number]) =>
  Object.entries(spec.responses).map(([status, schema]) => [`${spec.id} ${status}`, schema] as const)

/** Answers of routes that are not registered yet. */
const COMING = { ...accounts, ...credit, ...pool, ...strategies }
const comingAnswers = Object.entries<z.ZodType>(COMING).filter(([name]) => name.endsWith('Shape'))

test.each([...operationList.flatMap(answersOf), ...comingAnswers])(
  'every amount in %s is an amount object, or of the claim economics',
  (_name, schema) => {
    expect(faultsOfSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node)).toEqual([])
  },
)

test('a bare amount, an unpaired decimal and an amount object without display are found', () => {
  const amount = { raw: RawAmount, decimals: z.int() }
  const bad = z.object({
    payout: z.string(),
    total: DecimalAmount,
    claimFeeRaw: RawAmount,
    balance: z.object(amount),
    remainingReward: z.number(),
  })
  const names = faultsOfSchema(z.toJSONSchema(bad) as Node).map((fault) => fault.split(':')[0])
  expect(names).toEqual(['.payout', '.total', '.claimFeeRaw', '.balance.raw', '.remainingReward'])
})

/** Members of a request that are money and no digit string in base units. */
const faultsOfRequest = (node: Node & { pattern?: string }, path = ''): string[] => {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, member]) => [
    ...(isMoney(name) && !isDigits(member) ? [`${path}.${name}`] : []),
    ...faultsOfRequest(member, `${path}.${name}`),
  ])
  const parts = [...branches(node), ...(node.items ? [node.items] : []), ...Object.values(node.$defs ?? {})]
  return [...own, ...parts.flatMap((part) => faultsOfRequest(part, path))]
}
const isDigits = ({ type, pattern }: Node & { pattern?: string }): boolean => type === 'string' && pattern === REQUEST_AMOUNT.source

/** The specification fixes the number of a job definition. A delegate may have a budget of nothing, and claim where no bond is due. */
const OTHER_AMOUNTS: Record<string, string[]> = {
  createJob: ['.rewardAmount', '.reserveAmount'],
  draftJob: ['.definition.rewardAmount'],
  issueNonce: ['.bondPerDayRaw'],
}

test.each(operationList.map(({ id, body, query, params }) => [id, [body, query, params]] as const))(
  'every amount of a request of %s is a digit string in base units',
  (id, parts) => {
    const schemas = parts.flatMap((part) => (part ? [z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }) as Node] : []))
    expect(schemas.flatMap((schema) => faultsOfRequest(schema))).toEqual(OTHER_AMOUNTS[id] ?? [])
  },
)

test('amounts of a request as numbers, decimals or other digits are found', () => {
  const bad = z.object({
    amount: z.number(),
    limits: z.array(z.object({ stake: z.string() })),
    fee: z.string().regex(/^[0-9.]+$/),
    reward: z.string().regex(REQUEST_AMOUNT),
  })
  expect(faultsOfRequest(z.toJSONSchema(bad) as Node)).toEqual(['.amount', '.limits.stake', '.fee'])
})

/** Members whose content has units of its own: arguments of a contract call, JSON Schemas, and the terms of a job. */
const FOREIGN = [
  'args',
  'transaction',
  'schema',
  'submitPayloadExample',
  'verifierConfig',
  'input',
  'submission',
  'specDefinition',
  'definition',
]

/** Faults of the objects of a recorded answer, open ones included. */
const faultsOfAnswer = (value: unknown, path: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => faultsOfAnswer(item, `${path}[]`))
  if (value === null || typeof value !== 'object') return []
  const members = Object.keys(value)
  return Object.entries(value).flatMap(([name, member]) => {
    if (FOREIGN.includes(name)) return []
    const isAmount = typeof member === 'number' || (typeof member === 'string' && /^[0-9]+(\.[0-9]+)?$/.test(member))
    const fault = isAmount && isMoney(name) ? faultOf(name, members) : null
    return [...(fault === null ? [] : [`${path}.${name}: ${fault}`]), ...faultsOfAnswer(member, `${path}.${name}`)]
  })
}

test('every amount of a recorded answer is an amount object, or of the claim economics', () => {
  const faults = operationList.flatMap((spec) =>
    Object.keys(spec.responses).flatMap((status) => faultsOfAnswer(answerExample(spec, Number(status)), spec.id)),
  )
  expect([...new Set(faults)]).toEqual([])
})
