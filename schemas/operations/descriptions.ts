import { ACCOUNT_MEMBERS } from '../accounts/descriptions.ts'
import { WITHDRAWAL_MEMBERS } from '../accounts/withdrawal-descriptions.ts'
import { CATALOGUE_MEMBERS } from '../catalogue/descriptions.ts'
import { CLAIM_MEMBERS } from '../claims/descriptions.ts'
import { CONTENT_MEMBERS } from '../content/descriptions.ts'
import { CREDIT_MEMBERS } from '../credit/descriptions.ts'
import { CROSS_CHAIN_MEMBERS } from '../cross-chain/descriptions.ts'
import { DIRECTORY_MEMBERS } from '../directory/descriptions.ts'
import { DISCOVERY_MEMBERS } from '../discovery/descriptions.ts'
import { DISPUTE_MEMBERS } from '../disputes/descriptions.ts'
import { ELIGIBILITY_MEMBERS } from '../eligibility/descriptions.ts'
import { EVENT_MEMBERS } from '../event-stream/descriptions.ts'
import { HEALTH_MEMBERS } from '../health/descriptions.ts'
import { IDENTITY_MEMBERS } from '../identity/descriptions.ts'
import { IDLE_ALLOCATION_MEMBERS } from '../idle-allocation/descriptions.ts'
import { LOCKED_DEPOSIT_MEMBERS } from '../locked-deposits/descriptions.ts'
import { POOL_MEMBERS } from '../pool/descriptions.ts'
import { RECEIPT_MEMBERS } from '../receipts/descriptions.ts'
import { REPUTATION_MEMBERS } from '../reputation/descriptions.ts'
import { SESSION_LOG_MEMBERS } from '../session-log/descriptions.ts'
import { SESSION_MEMBERS } from '../sessions/descriptions.ts'
import { SETTLEMENT_MEMBERS } from '../settlement/descriptions.ts'
import { SHARE_MEMBERS } from '../shares/descriptions.ts'
import { STRATEGY_MEMBERS } from '../strategies/descriptions.ts'
import { TOOL_MEMBERS } from '../tools/descriptions.ts'
import { VERIFICATION_MEMBERS } from '../verification/descriptions.ts'
import { WEBHOOK_MEMBERS } from '../webhooks/descriptions.ts'

/** Members of several subjects. */
const SHARED_MEMBERS = {
  id: 'Id of the record.',
  name: 'Name to show.',
  title: 'Short title.',
  summary: 'Summary in one or two sentences.',
  description: 'What it is, in plain words.',
  label: 'Name to show.',
  type: 'Kind of the record.',
  kind: 'Kind of the record.',
  version: 'Version of the record or of the document.',
  schemaVersion: 'Version of this shape.',
  status: 'Current status.',
  state: 'Current state.',
  stage: 'Step that is under way.',
  phase: 'Part of the life cycle.',
  reason: 'Why, as a stable word; null where there is no reason.',
  reasonCode: 'Why, as a stable word.',
  detail: 'Explanation of this occurrence.',
  details: 'Facts of this occurrence.',
  message: 'Sentence for people.',
  code: 'Stable code, for programs.',
  source: 'Where the value or the record comes from.',
  scope: 'Range to which the record applies.',
  mode: 'How the part works.',
  method: 'HTTP method, or the name of a method of the contract.',
  path: 'Path of the request, or of the member that is meant.',
  endpoint: 'Method and path of the request.',
  docs: 'Address of the reference page.',
  note: 'Why, for the record.',
  notes: 'Remarks.',
  action: 'What to do, or what was done.',
  actor: 'Who did it.',
  effect: 'What the action changes.',
  value: 'Value.',
  data: 'Facts of the entry, or the data of the call.',
  field: 'Member that changed or that is read.',
  from: 'Value or sender before.',
  to: 'Value or recipient after.',
  before: 'State before.',
  after: 'State after.',
  at: 'Instant of the entry.',
  since: 'Instant at which the state began.',
  deadline: 'Last instant to act in this state.',
  asOf: 'Instant of the reading.',
  day: 'UTC day.',
  clock: 'Clock of the day.',
  count: 'Number of rows.',
  limit: 'Limit that was applied.',
  cursor: 'Opaque `nextCursor` of the page before, with the same filters.',
  nextCursor: 'Cursor of the next page; null on the last page.',
  asset: 'Symbol of the asset.',
  symbol: 'Symbol of the asset.',
  decimals: 'Decimal places of the asset.',
  raw: 'Amount in base units, as digits.',
  display: 'The same amount in whole units.',
  amount: 'Amount.',
  wallet: 'Wallet address.',
  worker: 'Worker of the session.',
  poster: 'Wallet that posted the job.',
  owner: 'Wallet that owns the record.',
  jobId: 'Id of the job.',
  sessionId: 'Id of the session: `<jobId>:<wallet>`, from the second attempt on with `:<n>`.',
  chainId: 'Chain id (EIP-155).',
  chainJobId: 'Id of the job in the escrow contract.',
  chainState: 'State of the job in the escrow contract.',
  chainStatus: 'Whether the chain has it yet.',
  contract: 'Name of the contract.',
  address: 'Address of the contract.',
  function: 'Function of the contract.',
  args: 'Arguments of the call.',
  transaction: 'Unsigned transaction.',
  txHash: 'Hash of the transaction.',
  nonce: 'Nonce of the transaction or of the sign-in message.',
  blockNumber: 'Number of the block.',
  block: 'Block of the reading.',
  available: 'What can be used now, or whether it can be used.',
  required: 'Whether it is required.',
  active: 'Whether it applies now.',
  applies: 'Whether the rule applies here.',
  ok: 'Whether the part works.',
  preview: 'True to show the effect and change nothing.',
  idempotencyKey: 'Alias of the header `Idempotency-Key`.',
  requestId: 'Equals the header `X-Request-Id`.',
  retryable: 'True when the identical request can succeed later.',
  retryAfterSeconds: 'Seconds after which to repeat the request.',
  nextActions: 'What the caller can do next, best first.',
  errors: 'Failed rules of the input.',
  warnings: 'Remarks that stop nothing.',
  severity: 'How much it matters.',
  tool: 'Name of the tool that sends the same request.',
  evidence: 'Evidence of the work or of the dispute.',
  settlement: 'How the money moves.',
  reward: 'Reward of the job.',
  verification: 'How the work is verified.',
  verifierMode: 'How the work is judged.',
  lineage: 'Earlier and later records of the same work.',
  waitSeconds: 'Seconds to hold the answer until the state changes.',
  session: 'The session.',
  progression: 'Progress of the wallet through the tiers.',
  settledJobs: 'Jobs of the wallet that were settled.',
  components: 'Parts, each with its own value.',
  totalAssets: 'What all shares are worth together.',
  totalShares: 'Number of all shares.',
  shares: 'Shares of the pool or of the strategy.',
  assets: 'Assets of the shares or of the request.',
} as const

/** Members of each subject. A name means the same wherever it stands; a member that means more has a description of its own. */
const SUBJECTS: readonly Readonly<Record<string, string>>[] = [
  SHARED_MEMBERS,
  IDENTITY_MEMBERS,
  DISCOVERY_MEMBERS,
  EVENT_MEMBERS,
  HEALTH_MEMBERS,
  CATALOGUE_MEMBERS,
  CLAIM_MEMBERS,
  ELIGIBILITY_MEMBERS,
  SESSION_MEMBERS,
  VERIFICATION_MEMBERS,
  DISPUTE_MEMBERS,
  CONTENT_MEMBERS,
  SHARE_MEMBERS,
  RECEIPT_MEMBERS,
  REPUTATION_MEMBERS,
  ACCOUNT_MEMBERS,
  WITHDRAWAL_MEMBERS,
  STRATEGY_MEMBERS,
  TOOL_MEMBERS,
  POOL_MEMBERS,
  CREDIT_MEMBERS,
  LOCKED_DEPOSIT_MEMBERS,
  IDLE_ALLOCATION_MEMBERS,
  CROSS_CHAIN_MEMBERS,
  DIRECTORY_MEMBERS,
  SETTLEMENT_MEMBERS,
  SESSION_LOG_MEMBERS,
  WEBHOOK_MEMBERS,
]

/** Names of described members; a name stands in one subject only. */
export const DESCRIBED_NAMES: readonly string[] = SUBJECTS.flatMap((members) => Object.keys(members))

/** Description of a member by its name, for documents. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = Object.assign({}, ...SUBJECTS)
