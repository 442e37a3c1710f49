// The API of postings and claims over HTTP, on a real chain behind a gate, with the process of a posting run in this process.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { createChainClients } from '../../../activities/chain/clients.ts'
import { createChainReads } from '../../../activities/chain/reads.ts'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { insertAuthSession } from '../../../activities/identity/auth-sessions.ts'
import { createPosterReader } from '../../../activities/postings/poster-record.ts'
import { createCatalogueHandlers } from '../../../api/catalogue/handlers.ts'
import { createClaimHandlers } from '../../../api/claims/handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import type { HandlerMap } from '../../../api/http/calls.ts'
import { createPostingHandlers } from '../../../api/postings/handlers.ts'
import type { Role } from '../../../schemas/identity/authorisation.ts'
import type { FreezeContract } from '../../../schemas/paid-verification/profiles/freeze.ts'
import { openSelfPaid } from '../../activities/support/self-paid.ts'
import { startApi } from '../../support/api.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { freshDefinition, freshPoster, startPostingStage } from './posting-stage.ts'

type Settings = ApiDeps['settings']
export type PostingHttp = Awaited<ReturnType<typeof startPostingHttp>>

/** No claim and no submission of these tests reaches the engine: each is recorded before, or refused. */
const withoutEngine = {
  watchOutages: <T>(work: (outage: AbortSignal) => Promise<T>): Promise<T> => work(new AbortController().signal),
  findClaimRun: async () => null,
}

export const startPostingHttp = async () => {
  const stage = await startPostingStage()
  const { database, gate, clock } = stage
  const chain = { ...stage.chain, rpc: { ...stage.chain.rpc, primary: gate.url } }
  const clients = createChainClients(chain)
  const reads = createChainReads(chain, clients, stage.reads.operator)

  /** What the runner says of a contract. */
  let freezeContract: FreezeContract = async () => ({ kind: 'unavailable', reason: 'runner_fault', detail: 'No runner is here.' })
  const freezes: string[] = []

  const handlersOf = (changes: Partial<Settings>): HandlerMap => {
    const settings = { ...stage.settings, ...changes }
    const { engine } = stage.depsWith()
    const deps = stage.depsWith({
      ...{ settings, chain, clients, reads },
      freezeContract: (request, signal, heartbeat) => {
        freezes.push(request.key)
        return freezeContract(request, signal, heartbeat)
      },
      evaluations: createEvaluations({ database, reads, chain, clock, settings, identities: evmIdentities }),
      engine: { ...engine, ...withoutEngine } as unknown as ApiDeps['engine'],
      readPoster: createPosterReader({ database, chain }),
    })
    return { ...createCatalogueHandlers(deps), ...createClaimHandlers(deps), ...createPostingHandlers(deps) }
  }
  let handlers = handlersOf({})
  const current: HandlerMap = Object.fromEntries(
    Object.keys(handlers).map((id) => [id, (input: never) => (handlers[id] as (input: never) => Promise<never>)(input)]),
  )
  const api = await startApi({ databaseUrl: stage.settings.DATABASE_URL, handlers: current, rpcUrl: stage.world.rpcUrl })

  /** Token of a sign-in of any wallet. */
  const tokenOf = async (wallet: Hex, roles: Role[] = []): Promise<string> => {
    const signedInAt = api.deps.clock.now()
    const sid = randomUUID()
    const grant = { sub: wallet.toLowerCase(), roles, sid, authTime: Math.floor(signedInAt / 1000) }
    const { token, claims } = await api.deps.tokens.issue(grant, signedInAt)
    const times = { signedInAt, issuedAt: signedInAt, expiresAt: signedInAt + 3_600_000 }
    await insertAuthSession(api.deps.database.rows, { id: sid, subject: grant.sub, lastJti: claims.jti, ...times, network: null })
    return token
  }

  const get = async (wallet: Hex, path: string) => api.call(path, { token: await tokenOf(wallet) })
  const post = async (wallet: Hex, path: string, body: object = {}) => api.call(path, { token: await tokenOf(wallet), body })

  return {
    ...stage,
    api,
    tokenOf,
    get,
    post,
    self: openSelfPaid(() => stage.follower),
    /** Answers of a service that is configured otherwise, until the work ends. */
    withSettings: async <T>(changes: Partial<Settings>, work: () => Promise<T>): Promise<T> => {
      handlers = handlersOf(changes)
      try {
        return await work()
      } finally {
        handlers = handlersOf({})
      }
    },
    /** Keys of the contracts that the runner was asked for. */
    freezes,
    /** Answers while the runner says this of contracts. */
    whileRunner: async <T>(says: FreezeContract, work: () => Promise<T>): Promise<T> => {
      const before = freezeContract
      freezeContract = says
      try {
        return await work()
      } finally {
        freezeContract = before
      }
    },
    /** A wallet with so much in its account. */
    posterWith: async (raw = 50_000_000n): Promise<Hex> => {
      const poster = freshPoster()
      await stage.postings.endow(poster, raw)
      return poster
    },
    /** Makes the agreements with named wallets unreadable, and readable again. */
    spoilAgreements: (isSpoilt: boolean) =>
      (isSpoilt
        ? sql`alter table posting rename column is_designated to is_hidden`
        : sql`alter table posting rename column is_hidden to is_designated`
      ).execute(database.rows),
    draftBy: (poster: Hex, changes: object = {}) => post(poster, '/jobs/draft', { definition: freshDefinition(changes) }),
    stop: async (): Promise<void> => {
      await api.close()
      await stage.stop()
    },
  }
}
