import { randomBytes } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../../client/src/client.ts'
import { isProblem } from '../../../client/src/problems.ts'
import type { Answer, Input } from '../../../client/src/types.ts'
import { disputeId } from '../../../domain/common/ids.ts'
import { localKey } from '../../keys.ts'
import { moveTime } from '../../time/move.ts'
import { describeDecided, money, type StackPlace } from '../place.ts'
import { awaitVerdict, readUntil, type Session, type Worker } from '../worker.ts'
import { awaitStatus, cancelPosted, claimPosted, draftJob, fundDraft, holdings, newWallet, type Posted, submitPosted } from './market.ts'

const POSTER_MONEY = 20_000_000n
const WORKER_MONEY = 2_000_000n
const PAYOUT_RAW = 600_000n
const GOOD_WORK = { summary: 'Exponential backoff with jitter.', output: 'A retry budget bounds the load.', status: 'complete' }
const POOR_WORK = { summary: 'Try again.', output: 'Until it works.', status: 'complete' }

/** A job of its own in each course: equal content of one poster would be the same draft. */
const definition = (course: string): Input<'draftJob'>['definition'] => ({
  title: `Retry policy of a client (${course} ${randomBytes(3).toString('hex')})`,
  description: 'Design the retry policy of a client: backoff, jitter and a bound for the load.',
  category: 'coding',
  rewardAmount: 1,
  opsReserve: 0.1,
  verifierMode: 'benchmark',
  verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
  claimTtlSeconds: 3_600,
})

/** The wallets whose holdings a course may change, and what it is predicted to change, base units. */
type Moves = Readonly<Record<'poster' | 'worker' | 'treasury', bigint>>

interface Course {
  name: string
  /** Plays it and answers the predicted changes. */
  play: (wallets: { poster: Worker; worker: Worker }) => Promise<Moves>
}

/** Plays courses; each holding has to change by what quote and bond foretold, to the unit. */
export const postingFlow = async (place: StackPlace): Promise<{ jobIds: string[]; differences: string[] }> => {
  const { report, info } = place
  const treasury = localKey('treasury').address
  const jobIds: string[] = []
  const differences: string[] = []

  const posted = async (poster: Worker, course: string): Promise<Posted> => {
    const draft = await draftJob(place, poster, definition(course))
    jobIds.push(draft.jobId)
    return { poster, draft }
  }

  const listed = async (poster: Worker, course: string): Promise<Posted> => {
    const job = await posted(poster, course)
    await fundDraft(place, job)
    return job
  }

  const approved: Course = {
    name: 'A posted job: rehearsed, funded, claimed, submitted, approved',
    play: async ({ poster, worker }) => {
      const job = await posted(poster, 'approved')
      const { draftId, jobId, fundingRequirement: cost } = job.draft
      await report.step(
        'rehearses the verifier on good and on poor work',
        () => poster.client.rehearseDraft({ id: draftId, submissions: [GOOD_WORK, POOR_WORK] }),
        ({ rehearsal: { submissions, warnings } }) =>
          `${submissions.map(({ outcome }) => outcome).join(', ')}; ${warnings.length === 0 ? 'no warnings' : warnings.map(({ code }) => code).join(', ')}`,
      )
      await fundDraft(place, job)
      const session = await claimPosted(place, worker, jobId)
      await submitPosted(place, worker, session, GOOD_WORK)
      await report.step('is approved and paid', () => awaitVerdict(worker, session.sessionId), describeDecided)
      await report.step(
        'the badge names poster and escrow',
        () => worker.client.getBadge({ sessionId: session.sessionId }),
        ({ name }) => `“${name}”`,
      )
      await awaitStatus(poster, job.draft, 'settled')
      const feeRaw = cost.protocolFeeRaw
      return { poster: -(cost.rewardRaw + feeRaw), worker: cost.workerReceivesRaw, treasury: feeRaw }
    },
  }

  const whenDisputed = ({ client }: Worker, { sessionId }: Session) =>
    readUntil('disputed session', async () => {
      const session = await client.getSession({ sessionId })
      return 'lifecycle' in session && session.status === 'disputed' ? session : undefined
    })

  const disputed: Course = {
    name: 'Rejected, disputed by the worker’s own transaction, split by an arbitrator',
    play: async ({ poster, worker }) => {
      const job = await listed(poster, 'disputed')
      const cost = job.draft.fundingRequirement
      const session = await claimPosted(place, worker, job.draft.jobId)
      await submitPosted(place, worker, session, POOR_WORK)
      const { session: rejected } = await report.step('is rejected', () => awaitVerdict(worker, session.sessionId), describeDecided)
      await report.step(
        'the worker disputes',
        async () => {
          const asked = rejected.nextActions.find(({ kind }) => kind === 'transaction')?.transaction as {
            to: `0x${string}`
            data: `0x${string}`
          }
          await place.chain.send(worker.account, { to: asked.to, data: asked.data })
          return whenDisputed(worker, session)
        },
        ({ status }) => status,
      )
      const arbitrator = createClient({ baseUrl: place.base, account: privateKeyToAccount(info.keys.arbitrator) })
      const verdict = {
        id: disputeId(session.sessionId),
        verdict: 'split',
        workerPayout: PAYOUT_RAW.toString(),
        rationale: 'Half of the points were answered.',
      } as const
      const preview = (await arbitrator.decideDispute({ ...verdict, preview: true })) as Extract<Answer<'decideDispute'>, { preview: true }>
      await report.step(
        'an arbitrator splits the reward',
        () => arbitrator.decideDispute(verdict),
        () => `${money(place, PAYOUT_RAW)} to the worker`,
      )
      await awaitStatus(poster, job.draft, 'settled')
      const { worker: paid, poster: back, treasury: fee } = preview.money
      const reservedRaw = cost.posterReservedRaw
      return { poster: BigInt(back.refund.raw) - reservedRaw, worker: BigInt(paid.payout.raw), treasury: BigInt(fee.fee.raw) }
    },
  }

  const lapsed: Course = {
    name: 'A claim runs out, the job is open again, and the poster takes its money back',
    play: async ({ poster, worker }) => {
      const job = await listed(poster, 'lapsed')
      const session = await claimPosted(place, worker, job.draft.jobId)
      await report.step(
        'an hour passes without work',
        () => moveTime(info, { instant: Date.parse(session.claimExpiresAt) + 2_000 }),
        ({ service }) => `it is ${new Date(service).toISOString()}`,
      )
      await report.step(
        'the claim expires, and half of the stake goes to the poster',
        () =>
          readUntil('expired session', async () => {
            const read = await worker.client.getSession({ sessionId: session.sessionId })
            return 'lifecycle' in read && read.status === 'expired' ? read : undefined
          }),
        ({ status }) => status,
      )
      await cancelPosted(place, job)
      const [stakeRaw, feeRaw] = [session.claimStakeRaw, session.claimFeeRaw]
      const toPoster = stakeRaw / 2n
      return { poster: toPoster, worker: -(stakeRaw + feeRaw), treasury: stakeRaw - toPoster + feeRaw }
    },
  }

  const cancelled: Course = {
    name: 'Cancelled after an hour without a claim',
    play: async ({ poster }) => {
      const job = await listed(poster, 'cancelled')
      await report.step(
        'cancelling at once is refused',
        async () => {
          try {
            await poster.client.buildCancelTransactions({ jobId: job.draft.jobId })
          } catch (error) {
            if (isProblem(error, 'external_cancel_too_early')) return error
            throw error
          }
          throw new Error('a job could be cancelled at once')
        },
        ({ code, details }) => `${code}, from ${String(details?.earliestAt)} on`,
      )
      await report.step(
        'an hour passes',
        () => moveTime(info, { plusSeconds: 3_602 }),
        ({ service }) => `it is ${new Date(service).toISOString()}`,
      )
      await cancelPosted(place, job)
      return { poster: 0n, worker: 0n, treasury: 0n }
    },
  }

  const compare = (course: string, predicted: Moves, found: Moves): void => {
    const names = Object.keys(predicted) as (keyof Moves)[]
    report.line()
    report.table([
      ['changed by', 'predicted', 'on chain', ''],
      ...names.map((name) => [
        name,
        money(place, predicted[name]),
        money(place, found[name]),
        predicted[name] === found[name] ? '=' : 'DIFFERS',
      ]),
    ])
    for (const name of names)
      if (predicted[name] !== found[name]) differences.push(`${course}: ${name} changed by ${found[name]}, not ${predicted[name]}`)
  }

  for (const { name, play } of [approved, disputed, lapsed, cancelled]) {
    report.heading(name)
    const wallets = { poster: await newWallet(place, 'a poster', POSTER_MONEY), worker: await newWallet(place, 'a worker', WORKER_MONEY) }
    const look = async (): Promise<Moves> => ({
      poster: await holdings(place, wallets.poster.account.address),
      worker: await holdings(place, wallets.worker.account.address),
      treasury: await holdings(place, treasury),
    })
    const before = await look()
    const predicted = await play(wallets)
    const after = await look()
    const change = (who: keyof Moves): bigint => after[who] - before[who]
    compare(name, predicted, { poster: change('poster'), worker: change('worker'), treasury: change('treasury') })
  }
  return { jobIds, differences }
}
