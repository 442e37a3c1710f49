import { z } from 'zod'
import { JOB_ROLES } from '../catalogue/job-terms.ts'
import {
  AssetAmount,
  Bytes32,
  DecimalAmount,
  GasRequiredShape,
  NextActionShape,
  OpenObject,
  RawAmount,
  shape,
} from '../operations/values.ts'
import { TierGateShape } from '../sessions/admission-shapes.ts'

/** One reason why a claim is refused, in gate order. */
export const BlockerShape = shape('Blocker', 'One reason why a claim is refused.', {
  code: z.string(),
  message: z.string(),
  gate: z.string().optional().describe('Gate that refuses.'),
  reason: z.string().optional().describe('Finer reason than the code, where the gate has one.'),
  retryable: z.boolean().optional().describe('True when the identical claim can succeed later.'),
  retryAfterSeconds: z.int().optional(),
  details: OpenObject.optional(),
  nextActions: z.array(NextActionShape),
})

export const RoleGateShape = TierGateShape.omit({ tier: true })
  .extend({ role: z.enum(JOB_ROLES) })
  .meta({ id: 'RoleGate', description: 'Role that a job needs, and what the wallet has.' })

export const JobIntegrityShape = shape('JobIntegrity', 'Whether the definition of a job is unchanged.', {
  eligible: z.boolean(),
  applies: z.boolean().describe('Whether the chain has a definition to compare with.'),
  status: z.string().describe('`chain_verified`, `not_on_chain`, `chain_unavailable_fail_open`, or the code of the difference.'),
  reason: z.string().nullable().describe('The difference in one sentence; null without one.'),
  specHash: Bytes32.describe('keccak256 of the canonical JSON of the definition.'),
})

/** Amounts that a claim locks, in whole units of the funding asset, each with `Raw` in base units. Null where the chain could not be read. */
export const claimMoneyMembers = {
  claimStake: DecimalAmount.nullable(),
  claimStakeRaw: RawAmount.nullable(),
  claimStakeBps: z.int().nullable().describe('Basis points of the reward.'),
  claimFee: DecimalAmount.nullable(),
  claimFeeRaw: RawAmount.nullable(),
  claimFeeBps: z.int().nullable().describe('Basis points of the reward.'),
  totalClaimLock: DecimalAmount.nullable().describe('Stake and fee together, which the claim locks.'),
  totalClaimLockRaw: RawAmount.nullable(),
}

/** Gas of the transactions that the worker of a posted job sends itself. */
export const WorkerGasShape = shape('WorkerGas', 'Gas of the transactions that a worker sends itself.', {
  claim: GasRequiredShape,
  submit: GasRequiredShape,
})

/** Cap as an amount, and what it consists of. */
export const CapShape = AssetAmount.extend({ source: z.string() })
