import * as chainFollower from '../../../schemas/chain/process.ts'
import * as claimSession from '../../../schemas/claims/process.ts'
import * as crossChainRequest from '../../../schemas/cross-chain/process.ts'
import * as deliveryTracking from '../../../schemas/deliveries/process.ts'
import * as dispute from '../../../schemas/disputes/process.ts'
import * as ingestion from '../../../schemas/ingestion/process.ts'
import * as recurringJob from '../../../schemas/lanes/process.ts'
import * as verificationRun from '../../../schemas/paid-verification/process.ts'
import * as principalVesting from '../../../schemas/pool/process.ts'
import * as externalPosting from '../../../schemas/postings/process.ts'
import * as common from '../../../schemas/processes.ts'
import * as verifierRun from '../../../schemas/verification/process.ts'

/** A message that a contract defines: what it is called there, and on the wire. */
export interface Message {
  /** Name of the exported definition. */
  key: string
  type: 'update' | 'signal' | 'query'
  /** Name on the wire. */
  name: string
}

/** The processes and the definitions that each handles. A process of a later release adds its row. */
const HANDLED = {
  claimSession: [
    ...['claimProgress', 'claimedUpdate', 'expiryDue', 'verdictReached', 'chainMoved', 'sessionFinal'],
    ...['submitUpdate', 'submissionOffered'],
  ],
  verifierRun: ['verifierProgress', 'pullRequestChanged', 'runUpdate'],
  dispute: [
    ...['disputeProgress', 'chainMoved', 'verdictReached', 'verdictUpdate', 'reviewUpdate', 'overturnUpdate'],
    ...['verdictGiven', 'reviewGiven'],
  ],
  chainFollower: ['followerProgress'],
  externalPosting: ['postingProgress', 'postingChanged'],
  deliveryTracking: ['deliveryProgress', 'deliveryChanged'],
  recurringJob: ['recurringProgress', 'templateChanged'],
  verificationRun: ['verificationProgress', 'settlementObserved'],
  ingestion: ['ingestionProgress'],
  principalVesting: ['vestingProgress', 'depositsMoved'],
  crossChainRequest: ['crossChainProgress', 'requestChanged', 'observeUpdate', 'retryUpdate'],
} as const
export type Process = keyof typeof HANDLED
export const PROCESSES = Object.keys(HANDLED) as Process[]

const CONTRACTS: Record<Process | 'common', object> = {
  claimSession,
  verifierRun,
  dispute,
  chainFollower,
  externalPosting,
  deliveryTracking,
  verificationRun,
  recurringJob,
  ingestion,
  principalVesting,
  crossChainRequest,
  common,
}

const isMessage = (value: unknown): value is { type: Message['type']; name: string } =>
  typeof value === 'object' && value !== null && 'type' in value && ['update', 'signal', 'query'].includes(String(value.type))

const messagesOf = (contract: object): Message[] =>
  Object.entries(contract).flatMap(([key, value]) => (isMessage(value) ? [{ key, type: value.type, name: value.name }] : []))

/** Every message of every contract of a process, by the name of its definition. */
export const MESSAGES = new Map(
  Object.values(CONTRACTS)
    .flatMap(messagesOf)
    .map((message) => [message.key, message]),
)

/** Names of the definitions that a process handles. */
export const handledBy = (process: Process): readonly string[] => HANDLED[process]
