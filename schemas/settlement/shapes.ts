import { z } from 'zod'
import { Address, AssetAmount, Bytes32, DayInput, DigitString, IsoTime, nativeAccount, part, shape } from '../operations/values.ts'
import { MONEY_STEPS, PAYMENT_KINDS, TRANSACTION_STATES } from './record.ts'

const BondAndFunding = shape('BondAndFunding', 'Money of a session by who brought it.', {
  bond: AssetAmount.describe('Stake and fee of the claim.'),
  funding: AssetAmount.describe('Money of the poster: reward, fee and reserves.'),
})

/** A transaction of a session, as the journal and the recorded events know it. */
const MoneyTransactionShape = shape('SessionTransaction', 'Transaction that concerns a session.', {
  kind: z.enum(MONEY_STEPS).describe('What it does; a transaction that does several things has the last of them.'),
  txHash: Bytes32,
  blockNumber: DigitString.nullable().describe('Null while it is not mined.'),
  at: IsoTime.describe('Time of its block; while it is not mined, of its signature.'),
  status: z.enum(TRANSACTION_STATES).describe('`mined` where the chain has executed it.'),
})

/** Money of a session, at one instant of the record. */
export const SessionMoneyShape = shape('SessionMoney', 'Money of a session, as the recorded events of the escrow tell it.', {
  sessionId: z.string(),
  asOf: IsoTime.describe('Time of the newest block whose events are recorded.'),
  reward: AssetAmount.describe('Reward of the job.'),
  received: BondAndFunding.describe('What came into the escrow for this session.'),
  locked: BondAndFunding.describe('What the escrow still holds for this session.'),
  paid: part('What the reward and the poster fee were spent on.', {
    worker: AssetAmount,
    protocolFee: AssetAmount,
    gasRetention: AssetAmount.describe('Part of the reward that the platform kept for gas.'),
  }),
  returned: AssetAmount.describe('Bond that the worker got back.'),
  slashed: part('Bond that the worker lost, by who got it.', { poster: AssetAmount, treasury: AssetAmount, verifier: AssetAmount }),
  refunded: AssetAmount.describe('What the poster got back.'),
  transactions: z.array(MoneyTransactionShape).describe('Oldest first.'),
  workflow: part('Ids of the workflows of the session.', {
    claim: z.string(),
    verifierRun: z.string().optional().describe('Present once work was submitted.'),
    dispute: z.string().optional().describe('Present once there was a dispute.'),
  }),
})

/** Payments of one day. */
export const PaymentDayShape = shape('PaymentDay', 'Payments of one day in UTC.', {
  day: DayInput,
  payments: z.int().min(0),
  worker: AssetAmount.describe('Paid to workers.'),
  protocolFee: AssetAmount,
  gasRetention: AssetAmount,
  slashed: AssetAmount.describe('Bonds that workers lost that day, whatever ended their sessions.'),
  wallets: z.int().min(0).describe('Workers that were paid.'),
})

/** One payment to a worker. */
export const PaymentShape = shape('Payment', 'Payment to a worker.', {
  sessionId: z.string(),
  jobId: z.string(),
  jobTitle: z.string(),
  wallet: Address,
  nativeAccount,
  kind: z.enum(PAYMENT_KINDS).describe('Verdict that paid.'),
  paid: AssetAmount,
  protocolFee: AssetAmount,
  gasRetention: AssetAmount,
  txHash: Bytes32,
  at: IsoTime.describe('Time of the block.'),
})
