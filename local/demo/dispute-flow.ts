import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createEscrowBalanceReader } from '../../activities/disputes/escrow-balance.ts'
import { disputeId } from '../../domain/common/ids.ts'
import { moneySplit, moneyView } from '../../domain/disputes/payout.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { decideDispute } from '../../schemas/disputes/operations.ts'
import type { StackInfo } from '../info.ts'
import { localKey } from '../keys.ts'
import { moveTime } from '../time/move.ts'
import { type AnswerOf, createClient } from './client.ts'
import { compareLedgers, type Ledger, type Participants, predictedLedger, readClosingChanges } from './ledger.ts'
import { deposit, money, type Place } from './place.ts'
import { createWorker, type Session, type Worker } from './worker.ts'

const BOND_MONEY = 2_000_000n
const PAYOUT = '600000'
const RATIONALE = 'Three of the five points of the task were answered, two were not.'
const LOOKS_MS = 60_000

/** Output, files and keys of a flow on one stack. */
interface DisputePlace extends Place {
  info: StackInfo
  chainFile: ChainFile
}

type Decided = AnswerOf<typeof decideDispute>
type Preview = Extract<Decided, { preview: true }>
type Dispute = Exclude<Decided, Preview>

const jobBody = (id: string) => ({
  id,
  title: 'Retry policy of a client',
  description: 'Design the retry policy of a client.',
  category: 'coding',
  tier: 'starter',
  rewardAmount: 1,
  lane: 'liveness',
  verifierMode: 'benchmark',
  verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
  claimTtlSeconds: 3_600,
})
const POOR_WORK = { summary: 'A retry policy.', output: 'Try again until it works.', status: 'complete' }

/** Lists a job, claims it with a bond and submits work that the verifier rejects. */
const rejectedWork = async (place: DisputePlace): Promise<{ worker: Worker; session: Session }> => {
  const { report, chain, base, info } = place
  const admin = createClient(base, privateKeyToAccount(info.keys.admin))
  await admin.signIn()
  const job = await report.step(
    'an operator lists a job',
    () => admin.call<{ id: string }>('/admin/jobs', jobBody(`demo-${randomBytes(4).toString('hex')}`)),
    ({ id }) => id,
  )
  const worker = createWorker(base)
  await worker.signIn()
  await report.step(
    'a worker deposits for its bond',
    async () => {
      await chain.fund(worker.account.address, BOND_MONEY)
      await deposit(place, worker, BOND_MONEY)
    },
    () => `${worker.account.address}, ${money(place, BOND_MONEY)}`,
  )
  const claimed = await report.step(
    'claims',
    () => worker.claim(job.id),
    ({ totalClaimLockRaw }) => `bond ${money(place, totalClaimLockRaw)}`,
  )
  await report.step(
    'submits poor work',
    () => worker.call('/jobs/submit', { sessionId: claimed.sessionId, submission: POOR_WORK }),
    () => 'accepted, the verifier decides',
  )
  const { session } = await report.step(
    'is rejected',
    () => worker.verdict(claimed.sessionId),
    ({ session: { lifecycle }, verdict }) => `${verdict.reasonCode}; disputable until ${lifecycle.disputeWindowEndsAt}`,
  )
  return { worker, session }
}

const participantsOf = ({ info }: DisputePlace, worker: Worker): Participants => ({
  worker: worker.account.address,
  poster: privateKeyToAccount(info.keys.operator).address,
  treasury: localKey('treasury').address,
  verifier: privateKeyToAccount(info.keys.verifier).address,
})

const waitForSession = async (worker: Worker, { sessionId }: Session, holds: (session: Session) => boolean): Promise<Session> => {
  for (const end = Date.now() + LOOKS_MS; ; await sleep(200)) {
    const session = await worker.call<Session>(`/session?sessionId=${encodeURIComponent(sessionId)}`)
    if (holds(session)) return session
    if (Date.now() > end) throw new Error('the expected state did not appear within a minute')
  }
}

/** Signs and sends the dispute transaction from the session's next actions. */
const disputeWithOwnKey = async ({ chain }: DisputePlace, worker: Worker, session: Session): Promise<Hex> => {
  const transaction = session.nextActions.find(({ kind }) => kind === 'transaction')?.transaction as { to: Hex; data: Hex } | undefined
  if (transaction === undefined) throw new Error('the session has no dispute transaction')
  return chain.send(worker.account, { to: transaction.to, data: transaction.data })
}

/** A rejection whose flow has ended. */
interface Ended {
  sessionId: string
  /** Balances on chain that differ from the prediction. */
  differences: string[]
}

const compareWithChain = async (place: DisputePlace, worker: Worker, session: Session, predicted: Ledger): Promise<Ended> => {
  const { jobId, sessionId } = session
  const found = await readClosingChanges(place.chain, participantsOf(place, worker), jobId)
  return { sessionId, differences: compareLedgers(place, predicted, found) }
}

/** A rejection that the worker disputes with its own key and an arbitrator splits. */
const splitFlow = async (place: DisputePlace): Promise<Ended> => {
  const { report, base, info } = place
  const { worker, session } = await rejectedWork(place)
  await report.step(
    'disputes on chain with its own key',
    () => disputeWithOwnKey(place, worker, session),
    (hash) => hash,
  )
  await report.step(
    'the follower sees it: disputed here, too',
    () => waitForSession(worker, session, ({ status }) => status === 'disputed'),
    ({ status, chainState }) => `${status}, escrow ${chainState}`,
  )
  const arbitrator = createClient(base, privateKeyToAccount(info.keys.arbitrator))
  await arbitrator.signIn()
  const path = `/disputes/${disputeId(session.sessionId)}`
  const verdict = { verdict: 'split', workerPayout: PAYOUT, rationale: RATIONALE }
  const preview = await report.step(
    'the arbitrator previews a split',
    () => arbitrator.call<Preview>(`${path}/verdict`, { ...verdict, preview: true }),
    ({ workerPayout }) => `${money(place, workerPayout.raw)} to the worker`,
  )
  await report.step(
    'and decides',
    () => arbitrator.call<Dispute>(`${path}/verdict`, verdict),
    ({ status, verdict: word, chainStatus }) => `${status}: ${word}, ${chainStatus}`,
  )
  return compareWithChain(place, worker, session, predictedLedger(preview.money))
}

/** An undisputed rejection: final in the second after its window, with the bond slashed. */
const lapsedFlow = async (place: DisputePlace): Promise<Ended> => {
  const { report, chainFile, chain, info } = place
  const { worker, session } = await rejectedWork(place)
  const read = createEscrowBalanceReader(chainFile, { reader: chain.client })
  const balance = await read({ chainJobId: session.chainJobId, retainedRaw: 0n })
  const predicted = predictedLedger(moneyView(balance, moneySplit(balance, 'final_rejection', 0n), chainFile.asset))
  const windowEndsAt = session.lifecycle.disputeWindowEndsAt
  if (windowEndsAt == null) throw new Error('the rejection has no dispute window')
  await report.step(
    'seven days pass without a dispute',
    () => moveTime(info, { instant: Date.parse(windowEndsAt) + 2_000 }),
    ({ service, moved }) => `it is ${new Date(service).toISOString()}; ${moved.length} processes came along`,
  )
  await report.step(
    'the rejection is final',
    () => waitForSession(worker, session, ({ rejectionFinalizedAt }) => rejectionFinalizedAt != null),
    ({ rejectionFinalizedAt }) => `${rejectionFinalizedAt}, the bond is slashed`,
  )
  return compareWithChain(place, worker, session, predicted)
}

/** Rejection, dispute, split verdict and a lapsed window, in seconds. */
export const disputeFlows = async (place: DisputePlace): Promise<Ended[]> => {
  place.report.heading('A rejection, disputed with the worker’s own key and split by the arbitrator')
  const split = await splitFlow(place)
  place.report.heading('An undisputed rejection')
  return [split, await lapsedFlow(place)]
}
