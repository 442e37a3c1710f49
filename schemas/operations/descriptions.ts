import { ACCOUNT_MEMBERS } from '../accounts/descriptions.ts'
import { WITHDRAWAL_MEMBERS } from '../accounts/withdrawal-descriptions.ts'
import { CREDIT_MEMBERS } from '../credit/descriptions.ts'
import { CROSS_CHAIN_MEMBERS } from '../cross-chain/descriptions.ts'
import { DIRECTORY_MEMBERS } from '../directory/descriptions.ts'
import { DISPUTE_MEMBERS } from '../disputes/descriptions.ts'
import { IDLE_ALLOCATION_MEMBERS } from '../idle-allocation/descriptions.ts'
import { LOCKED_DEPOSIT_MEMBERS } from '../locked-deposits/descriptions.ts'
import { POOL_MEMBERS } from '../pool/descriptions.ts'
import { RECEIPT_MEMBERS } from '../receipts/descriptions.ts'
import { REPUTATION_MEMBERS } from '../reputation/descriptions.ts'
import { SESSION_MEMBERS } from '../sessions/descriptions.ts'
import { SETTLEMENT_MEMBERS } from '../settlement/descriptions.ts'
import { STRATEGY_MEMBERS } from '../strategies/descriptions.ts'

/** Members of each subject. A name means the same wherever it stands; a member that means more has a description of its own. */
const SUBJECTS: readonly Readonly<Record<string, string>>[] = [
  SESSION_MEMBERS,
  DISPUTE_MEMBERS,
  RECEIPT_MEMBERS,
  REPUTATION_MEMBERS,
  ACCOUNT_MEMBERS,
  WITHDRAWAL_MEMBERS,
  STRATEGY_MEMBERS,
  POOL_MEMBERS,
  CREDIT_MEMBERS,
  LOCKED_DEPOSIT_MEMBERS,
  IDLE_ALLOCATION_MEMBERS,
  CROSS_CHAIN_MEMBERS,
  DIRECTORY_MEMBERS,
  SETTLEMENT_MEMBERS,
]

/** Names of described members; a name stands in one subject only. */
export const DESCRIBED_NAMES: readonly string[] = SUBJECTS.flatMap((members) => Object.keys(members))

/** Description of a member by its name, for documents. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = Object.assign({}, ...SUBJECTS)
