// The handlers of postings on a real chain and database, with the process of a posting run in this process.
import type { Hex } from 'viem'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { assertDeclared } from '../../../api/http/answers.ts'
import { createPostingHandlers } from '../../../api/postings/handlers.ts'
import type { Answer, Input, OperationSpec } from '../../../schemas/operations/operation.ts'
import * as posting from '../../../schemas/postings/operations.ts'
import type { Settings } from '../../../schemas/settings.ts'
import { startFollowerWorld } from '../../activities/support/follower-world.ts'
import { openPostings } from '../../activities/support/postings.ts'
import { who } from '../../contracts/support/world.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { BASE_URL, inputOf } from './account-world.ts'

export { posting }

let wallets = 0
/** An unused wallet, lower case. */
export const freshPoster = (): Hex => {
  wallets += 1
  return `0x${(0xabc0_0000 + wallets).toString(16).padStart(40, '0')}`
}

let titles = 0
/** A definition that no other call gives. */
export const freshDefinition = (changes: object = {}) => {
  titles += 1
  return {
    title: `Retry policy ${titles} for a client`,
    description: 'Design the retry policy of a client.',
    category: 'coding',
    rewardAmount: 1,
    verifierMode: 'benchmark',
    verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
    ...changes,
  }
}

export type PostingStage = Awaited<ReturnType<typeof startPostingStage>>

export const startPostingStage = async () => {
  const world = await startFollowerWorld('posting-api')
  const postings = openPostings(() => world)
  const started: string[] = []
  const engine = {
    startPosting: async ({ jobId }: { jobId: string }) => {
      started.push(jobId)
    },
    wakePosting: async ({ jobId }: { jobId: Hex }) => {
      await postings.reconcile(jobId)
    },
  } as unknown as ApiDeps['engine']

  const { database, clock, chain, clients, reads } = world
  const settings: Settings = { ...world.settings, EXTERNAL_POSTING_MODE: 'open', ANSWER_SECRET: 'ab'.repeat(32) }
  const depsWith = (changes: Partial<ApiDeps> = {}): ApiDeps =>
    ({
      ...{ settings, chain, database, clock, clients, reads, engine, baseUrl: BASE_URL, isLocal: true },
      liveReads: { bondPolicy: reads.bondPolicy },
      isNativeAccount: async () => false,
      evaluations: createEvaluations({ database, reads, chain, clock, settings, identities: evmIdentities }),
      ...changes,
    }) as unknown as ApiDeps
  const handlersWith = (changes: Partial<ApiDeps> = {}) => createPostingHandlers(depsWith(changes))
  let handlers = handlersWith()

  /** Body of an answer, which the operation declares. */
  const ask = async <Spec extends OperationSpec>(
    spec: Spec,
    handler: (input: Input<Spec>) => Promise<Answer<Spec>>,
    asked: Parameters<typeof inputOf>[1],
  ): Promise<Answer<Spec>> => {
    const answer = await handler(inputOf(spec, asked))
    assertDeclared(spec, answer as { status: number; body: unknown })
    return answer
  }

  const draft = async (wallet: Hex, definition: object = freshDefinition(), key?: string) => {
    const asked = { wallet, body: { definition }, ...(key !== undefined && { idempotencyKey: key }) }
    return (await ask(posting.draftJob, handlers.draftJob, asked)).body
  }
  const transactions = async (wallet: Hex, draftId: string, key?: string) => {
    const asked = { wallet, params: { id: draftId }, ...(key !== undefined && { idempotencyKey: key }) }
    return (await ask(posting.buildPostJobTransactions, handlers.buildPostJobTransactions, asked)).body
  }

  return {
    ...world,
    follower: world,
    postings,
    settings,
    started,
    handlers,
    depsWith,
    handlersWith,
    ask,
    draft,
    transactions,
    /** Answers of handlers that are built otherwise, until the test ends. */
    during: async <T>(changes: Partial<ApiDeps>, work: () => Promise<T>): Promise<T> => {
      const before = handlers
      handlers = handlersWith(changes)
      try {
        return await work()
      } finally {
        handlers = before
      }
    },
    readDraft: async (wallet: Hex, draftId: string) =>
      (await ask(posting.getJobDraft, handlers.getJobDraft, { wallet, params: { id: draftId } })).body,
    jobsOf: async (wallet: Hex, query: Record<string, string> = {}) =>
      (await ask(posting.listPosterJobs, handlers.listPosterJobs, { wallet, query })).body,
    cancel: async (wallet: Hex, jobId: string) =>
      (await ask(posting.buildCancelTransactions, handlers.buildCancelTransactions, { wallet, params: { jobId } })).body,
    delist: async (jobId: string, reason: string, key?: string) =>
      (
        await ask(posting.delistJob, handlers.delistJob, {
          ...{ wallet: freshPoster(), params: { jobId }, body: { reason } },
          ...(key !== undefined && { idempotencyKey: key }),
        })
      ).body,
    /** Tokens in the wallet itself. */
    mint: (wallet: Hex, raw: bigint) => world.world.run(who.owner, 'token', 'mint', wallet, raw),
    /** Sends unsigned transactions as their wallet. */
    send: async (templates: readonly { from: string; to: string; data: string }[]): Promise<void> => {
      for (const { from, to, data } of templates) {
        const { error } = await world.world.attemptAt(from as Hex, to as Hex, data as Hex)
        if (error !== undefined) throw new Error(`a transaction was refused: ${error}`)
      }
    },
    /** The account of a wallet, base units. */
    accountOf: async (wallet: Hex) => (await reads.walletFacts(wallet)).position,
    /** What a wallet asked for, in the order of the alphabet. */
    demandOf: async (wallet: Hex) =>
      (await database.rows.selectFrom('posting_demand').select(['outcome', 'code', 'requests']).where('poster', '=', wallet).execute())
        .flatMap(({ outcome, code, requests }) => Array.from({ length: requests }, () => `${outcome} ${code}`.trim()))
        .sort(),
  }
}
