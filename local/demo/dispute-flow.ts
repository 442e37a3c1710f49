import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createEscrowBalanceReader } from '../../activities/disputes/escrow-balance.ts'
import { createClient } from '../../client/src/client.ts'
import type { Answer, Client, Input } from '../../client/src/types.ts'
import { disputeId } from '../../domain/common/ids.ts'
import { moneySplit, moneyView } from '../../domain/disputes/payout.ts'
import { localKey } from '../keys.ts'
import { moveTime } from '../time/move.ts'
import { compareLedgers, type Ledger, type Participants, predictedLedger, readClosingChanges } from './ledger.ts'
import { deposit, money, type StackPlace } from './place.ts'
import { awaitVerdict, createWorker, readUntil, type Session, type Worker } from './worker.ts'

const BOND_MONEY = 2_000_000n
const PAYOUT = '600000'
const RATIONALE = 'Three of the five points of the task were answered, two were not.'

type Preview = Extract<Answer<'decideDispute'>, { preview: true }>

/** Client of an account with a role. */
const clientOf = ({ base, info }: StackPlace, role: 'admin' | 'arbitrator'): Client =>
  createClient({ baseUrl: base, account: privateKeyToAccount(info.keys[role]) })

const jobBody = (id: string): Input<'createJob'> => ({
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
const rejectedWork = async (place: StackPlace): Promise<{ worker: Worker; session: Session }> => {
  const { report, chain, base } = place
  const admin = clientOf(place, 'admin')
  const job = await report.step(
    'an operator lists a job',
    () => admin.createJob(jobBody(`demo-${randomBytes(4).toString('hex')}`)),
    ({ id }) => id,
  )
  const worker = createWorker(base)
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
    () => worker.client.claimJob({ jobId: job.id }),
    ({ totalClaimLockRaw }) => `bond ${money(place, totalClaimLockRaw)}`,
  )
  await report.step(
    'submits poor work',
    () => worker.client.submitWork({ sessionId: claimed.sessionId, submission: POOR_WORK }),
    () => 'accepted, the verifier decides',
  )
  const { session } = await report.step(
    'is rejected',
    () => awaitVerdict(worker, claimed.sessionId),
    ({ session: { lifecycle }, verdict }) => `${verdict.reasonCode}; disputable until ${lifecycle.disputeWindowEndsAt}`,
  )
  return { worker, session }
}

const participantsOf = ({ info }: StackPlace, worker: Worker): Participants => ({
  worker: worker.account.address,
  poster: privateKeyToAccount(info.keys.operator).address,
  treasury: localKey('treasury').address,
  verifier: privateKeyToAccount(info.keys.verifier).address,
})

const waitForSession = ({ client }: Worker, { sessionId }: Session, holds: (session: Session) => boolean): Promise<Session> =>
  readUntil('expected state of the session', async () => {
    const session = await client.getSession({ sessionId })
    return 'lifecycle' in session && holds(session) ? session : undefined
  })

/** Signs and sends the dispute transaction from the session's next actions. */
const disputeWithOwnKey = async ({ chain }: StackPlace, worker: Worker, session: Session): Promise<Hex> => {
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

const compareWithChain = async (place: StackPlace, worker: Worker, session: Session, predicted: Ledger): Promise<Ended> => {
  const { jobId, sessionId } = session
  const found = await readClosingChanges(place.chain, participantsOf(place, worker), jobId)
  return { sessionId, differences: compareLedgers(place, predicted, found) }
}

/** A rejection that the worker disputes with its own key; an arbitrator has to decide it. */
export const disputedWork = async (place: StackPlace): Promise<{ worker: Worker; session: Session }> => {
  const { report } = place
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
  return { worker, session }
}

/** A disputed rejection that an arbitrator splits. */
const splitFlow = async (place: StackPlace): Promise<Ended> => {
  const { report } = place
  const { worker, session } = await disputedWork(place)
  const arbitrator = clientOf(place, 'arbitrator')
  const verdict = { id: disputeId(session.sessionId), verdict: 'split', workerPayout: PAYOUT, rationale: RATIONALE } as const
  const preview = await report.step(
    'the arbitrator previews a split',
    () => arbitrator.decideDispute({ ...verdict, preview: true }) as Promise<Preview>,
    ({ workerPayout }) => `${money(place, workerPayout.raw)} to the worker`,
  )
  await report.step(
    'and decides',
    () => arbitrator.decideDispute(verdict) as Promise<Exclude<Answer<'decideDispute'>, Preview>>,
    ({ status, verdict: word, chainStatus }) => `${status}: ${word}, ${chainStatus}`,
  )
  return compareWithChain(place, worker, session, predictedLedger(preview.money))
}

/** An undisputed rejection: final in the second after its window, with the bond slashed. */
const lapsedFlow = async (place: StackPlace): Promise<Ended> => {
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
export const disputeFlows = async (place: StackPlace): Promise<Ended[]> => {
  place.report.heading('A rejection, disputed with the worker’s own key and split by the arbitrator')
  const split = await splitFlow(place)
  place.report.heading('An undisputed rejection')
  return [split, await lapsedFlow(place)]
}
