import { z } from 'zod'
import {
  Address,
  Amount,
  AssetAmount,
  Bytes32,
  ChainIdValue,
  DigitString,
  IsoTime,
  literal,
  OpenObject,
  shape,
} from '../operations/values.ts'

const WeightShape = z.object({ refTime: DigitString.describe('Picoseconds.'), proofSize: DigitString.describe('Bytes.') })

const ReviveCallShape = shape('ReviveCall', 'Call that a native account signs and submits on the native side of the chain.', {
  pallet: literal('Revive'),
  call: literal('call'),
  args: z.object({
    dest: Address.describe('Contract that it calls.'),
    value: DigitString.describe('In base units of the native side.'),
    weightLimit: WeightShape.nullable().describe(
      'Most that it may take; what it does not take is not paid for. Null while the gas is not measured: build it again once the transaction before it is mined.',
    ),
    storageDepositLimit: DigitString.nullable().describe('Most that it may hold for new storage, in base units of the native side.'),
    data: z.string().describe('Data of the call.'),
  }),
})

/** Unsigned transaction; no nonce and no fee fields. Source: http, "Value formats". */
const TemplateShape = shape('TransactionTemplate', 'Unsigned transaction without nonce and fee fields.', {
  step: z.string(),
  unsigned: z.literal(true),
  from: Address.describe('Wallet that signs and sends it.'),
  to: Address.describe('Contract that it calls.'),
  data: z.string().describe('Data of the call.'),
  value: literal('0'),
  chainId: ChainIdValue,
  gasEstimate: z.union([
    z.object({ status: literal('estimated'), gas: DigitString.describe('Gas in units.'), source: z.string() }),
    z.object({
      status: literal('requires_prerequisite'),
      gas: z.null(),
      prerequisite: z.string().describe('Transaction that must be mined first.'),
      reason: z.string(),
    }),
  ]),
  decoded: z.object({ function: z.string(), args: z.unknown() }).describe('The call in readable form.'),
  revive: ReviveCallShape.optional().describe(
    'The same for a native account, which submits it in place of the transaction; absent for a wallet.',
  ),
})

/** Approval that a transfer into a contract needs. */
export const ApprovalShape = shape('Approval', 'Whether an approval comes first, and the allowance before and after it.', {
  required: z.boolean(),
  reason: z.enum(['allowance_below_requested_assets', 'allowance_already_sufficient']),
  allowanceBefore: Amount.describe('Allowance now.'),
  allowanceAfter: Amount.describe('Allowance after the transactions.'),
})

/** Block of every number and estimate of an answer. */
export const BlockShape = z
  .object({ number: DigitString, hash: Bytes32 })
  .meta({ id: 'BlockReference', description: 'Block of every number and estimate of the answer.' })

/** The same with its time, where the answer depends on it. */
export const TimedBlockShape = shape('TimedBlock', 'Block of every number of the answer, with its time.', {
  number: DigitString,
  hash: Bytes32,
  timestamp: z.int().describe('Time of the block in seconds since 1970.'),
  timestampIso: IsoTime,
})

export const AssetRefShape = z
  .object({ symbol: z.string(), address: Address, decimals: z.int().min(0).max(30) })
  .meta({ id: 'AssetReference', description: 'Asset with its contract.' })

const UnitShape = shape('PoolUnit', 'Asset or share in which a request names an amount.', {
  symbol: z.string(),
  decimals: z.int().min(0).max(30),
  input: z.string().describe('How a request writes the amount.'),
})

/** In what a request names assets and shares. */
export const PoolUnitsShape = z
  .object({ asset: UnitShape, shares: UnitShape })
  .meta({ id: 'PoolUnits', description: 'In what a request names assets and shares of a pool.' })

const SimulationShape = z
  .union([
    z.object({ status: z.literal('simulated'), method: literal('eth_simulateV1'), blockNumber: DigitString }),
    z.object({ status: z.literal('unavailable'), reason: literal('node_cannot_simulate') }),
  ])
  .meta({ id: 'Simulation', description: 'How the expected changes were found, or why they are not known.' })

/** One balance of one holder, before and after all transactions of the answer. */
const BalanceChangeShape = z
  .object({
    kind: z.string(),
    holder: Address,
    direction: z.enum(['in', 'out']),
    change: AssetAmount,
    before: AssetAmount,
    after: AssetAmount,
  })
  .meta({
    id: 'BalanceChange',
    description:
      'Change of one balance: `wallet` for tokens that the holder has itself, `account.*` for the record of the account contract, `pool.shares` for shares of the deposit pool, `pool.pledged` for those of them that secure loans, `credit.shares` for shares of a lender, `credit.debt` for what a borrower owes.',
  })

/** Members of every answer with unsigned transactions, after its head. */
export const templateMembers = {
  templates: z.array(TemplateShape).min(1).describe('In the order in which to send them.'),
  simulation: SimulationShape.describe('All templates, run in their order on the state of `block` and not sent.'),
  expected: z.array(BalanceChangeShape).describe('Every balance of the wallet and of the destination that the templates change.'),
  instructions: z.array(z.string()),
  broadcast: OpenObject.describe('How to send them.'),
  boundary: OpenObject.describe('What the service does not do.'),
}

/** Answer of a product that this chain does not have or that could not be read. */
export const unavailableShape = <const Reason extends string>(reasons: readonly [Reason, ...Reason[]]) =>
  z.object({ schemaVersion: z.literal(1), available: z.literal(false), reason: z.enum(reasons) })
