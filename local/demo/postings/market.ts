import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { isProblem } from '../../../client/src/problems.ts'
import type { Answer, Input } from '../../../client/src/types.ts'
import { deposit, money, type StackPlace } from '../place.ts'
import { createWorker, readUntil, type Session, type Worker } from '../worker.ts'

export type Draft = Answer<'draftJob'>
type Definition = Input<'draftJob'>['definition']

/** A posted job with the wallet that funds it. */
export interface Posted {
  poster: Worker
  draft: Draft
}

/** What a wallet pays and has, in its account or outside, without what a job holds. Base units. */
export const holdings = async ({ chain }: StackPlace, wallet: Address): Promise<bigint> => {
  const { liquidRaw, tokensRaw } = await chain.standingOf(wallet)
  return liquidRaw + tokensRaw
}

/** Wallet of a new key that has test money and gas, signed in. */
export const newWallet = async (place: StackPlace, who: string, amountRaw: bigint): Promise<Worker> => {
  const wallet = createWorker(place.base, 0)
  await place.report.step(
    `${who} signs in; its own key, test money and gas`,
    async () => {
      await wallet.client.signIn()
      await place.chain.fund(wallet.account.address, amountRaw)
    },
    () => `${wallet.account.address}, ${money(place, amountRaw)}`,
  )
  return wallet
}

interface Sendable {
  to: string
  data: string
}

/** Signs each transaction with the wallet's own key and sends them in their order. */
const sendAll = async ({ chain }: StackPlace, wallet: Worker, transactions: readonly Sendable[]): Promise<void> => {
  for (const { to, data } of transactions) await chain.send(wallet.account, { to: to as Hex, data: data as Hex })
}

/** What the poster's list says of a job. */
const rowOf = async ({ client }: Worker, { jobId }: Pick<Draft, 'jobId'>) => {
  const { jobs } = await client.listPosterJobs({ limit: 100 })
  return jobs.find((row) => row.jobId === jobId)
}

/** Waits until the list of the poster shows a status. */
export const awaitStatus = (poster: Worker, draft: Pick<Draft, 'jobId'>, wanted: string) =>
  readUntil(`posting that is ${wanted}`, async () => {
    const row = await rowOf(poster, draft)
    return row?.status === wanted ? row : undefined
  })

/** Drafts a job and shows its quote. */
export const draftJob = (place: StackPlace, poster: Worker, definition: Definition): Promise<Draft> =>
  place.report.step(
    'the poster drafts a job',
    () => poster.client.draftJob({ definition }),
    ({ fundingRequirement: { posterReservedRaw }, expiresAt }) => `reserves ${money(place, posterReservedRaw)}, until ${expiresAt}`,
  )

/** Funds a draft by the poster's own transactions and waits for its listing. */
export const fundDraft = async (place: StackPlace, { poster, draft }: Posted): Promise<void> => {
  const { report } = place
  await report.step(
    'funds it with its own transactions',
    async () => {
      const { templates } = await poster.client.buildPostJobTransactions({ id: draft.draftId })
      await sendAll(place, poster, templates)
      return templates.map(({ step }) => step)
    },
    (steps) => `signed and sent: ${steps.join(', ')}`,
  )
  await report.step(
    'the service sees the funding and lists the job',
    () => awaitStatus(poster, draft, 'live'),
    ({ status, txHash }) => `${status}, ${txHash?.slice(0, 18)}…`,
  )
}

/** What a refusal asks a worker to send. */
const Asked = z.object({ transactions: z.array(z.object({ to: z.string(), data: z.string() })) })

/** Refusals that ask a worker to send transactions. */
type AskCode = 'external_self_paid_claim_required' | 'external_self_paid_submit_required'

/** Sends what the service asks for, where it asks, and answers what the request comes to. */
const sendingItself = async <T>(place: StackPlace, worker: Worker, code: AskCode, request: () => Promise<T>): Promise<T> => {
  try {
    return await request()
  } catch (error) {
    if (!isProblem(error, code)) throw error
    await sendAll(place, worker, Asked.parse(error.details).transactions)
    return request()
  }
}

/** Deposits the bond of a job and claims it by the worker's own transaction. */
export const claimPosted = async (place: StackPlace, worker: Worker, jobId: string): Promise<Session> => {
  const { report } = place
  const short = (await worker.client.preflightJob({ jobId })).claimFundingShortfallRaw ?? 0n
  if (short > 0n)
    await report.step(
      'a worker deposits for its bond',
      () => deposit(place, worker, short),
      () => money(place, short),
    )
  return report.step(
    'claims: 409 with the transaction, sends it, asks again',
    () => sendingItself(place, worker, 'external_self_paid_claim_required', () => worker.client.claimJob({ jobId })),
    ({ totalClaimLockRaw, claimExpiresAt }) => `bond ${money(place, totalClaimLockRaw)}, until ${claimExpiresAt}`,
  )
}

/** Submits work by the worker's own transaction. */
export const submitPosted = (place: StackPlace, worker: Worker, { sessionId }: Session, submission: object) =>
  place.report.step(
    'submits: 409 with the transaction, sends it, asks again',
    () =>
      sendingItself(place, worker, 'external_self_paid_submit_required', () =>
        worker.client.submitWork({ sessionId, submission: submission as Input<'submitWork'>['submission'] }),
      ),
    ({ status }) => status,
  )

/** Cancels a job by the poster's own transaction and waits until the service has seen it. */
export const cancelPosted = async (place: StackPlace, { poster, draft }: Posted): Promise<void> => {
  await place.report.step(
    'the poster cancels with its own transaction',
    async () => {
      const { templates, refund } = await poster.client.buildCancelTransactions({ jobId: draft.jobId })
      await sendAll(place, poster, templates)
      await awaitStatus(poster, draft, 'cancelled')
      return refund.total
    },
    ({ display }) => `${display} ${place.asset.symbol} are back`,
  )
}
