// A chain with new contracts, a new database, and the account handlers on top of them.

import type { Hex } from 'viem'
import { createGasGrantSteps } from '../../../activities/accounts/gas-grant.ts'
import { type ChainClients, createChainClients, createSigners } from '../../../activities/chain/clients.ts'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { createChainReads } from '../../../activities/chain/reads.ts'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { createAccountHandlers } from '../../../api/accounts/handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { assertDeclared } from '../../../api/http/answers.ts'
import { createReputationHandlers } from '../../../api/reputation/handlers.ts'
import { createStrategyHandlers } from '../../../api/strategies/handlers.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import * as account from '../../../schemas/accounts/operations.ts'
import type { GasGrantActivities } from '../../../schemas/accounts/process.ts'
import { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { BASE_CAPABILITIES, type Role, type WalletPrincipal } from '../../../schemas/identity/authorisation.ts'
import type { Answer, Input, OperationSpec } from '../../../schemas/operations/operation.ts'
import * as reputation from '../../../schemas/reputation/operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { CREDIT_OPERATOR_KEY, OPERATOR_KEY, startWorld, type World, who } from '../../contracts/support/world.ts'
import { createTestDatabase } from '../../support/database.ts'
import { evmIdentities } from '../../support/native/identities.ts'

export const BASE_URL = 'http://service.test'
export const NOW = Date.UTC(2026, 0, 15)

/** An address in the one spelling that handlers meet. */
export const lower = (address: Hex): Hex => address.toLowerCase() as Hex
export const operator = lower(who.operator)
export const worker = lower(who.worker)

const callerOf = (wallet: Hex): WalletPrincipal => ({
  subject: wallet,
  wallet,
  kind: 'wallet',
  roles: [],
  capabilities: BASE_CAPABILITIES,
  token: null,
})

const chainFileOf = ({ rpcUrl, deployment }: World): ChainFile => {
  const place = { caip2: `eip155:${deployment.chainId}`, name: 'Test chain', local: true, rpc: { primary: rpcUrl } }
  return ChainFile.parse({ ...deployment, ...place, nativeSymbol: 'PAS', confirmations: 0 })
}

let wallets = 0
/** An unused wallet. */
export const freshWallet = (): Hex => {
  wallets += 1
  return `0x${(0xfee0_0000 + wallets).toString(16).padStart(40, '0')}`
}

interface Asked {
  wallet?: Hex
  /** Grant of the delegate that asks for the wallet. */
  grantId?: string
  roles?: readonly Role[]
  query?: Record<string, string>
  params?: Record<string, string>
  body?: Record<string, unknown>
  idempotencyKey?: string
  /** Headers that the operation declares. */
  headers?: Record<string, string>
}

let requests = 0

const delegateOf = (id: string) => ({ kind: 'delegate', grant: { id, scope: null, ended: null } })

/** What the router makes of a request: members read by the operation's own shapes, or the error of the first that fails. */
export const inputOf = <Spec extends OperationSpec>(
  spec: Spec,
  { wallet, grantId, roles = [], query = {}, params = {}, body = {}, idempotencyKey, headers = {} }: Asked,
) => {
  requests += 1
  const request = {
    id: `test-${requests}`,
    ip: '127.0.0.1',
    keyScope: spec.idempotent ?? spec.id,
    idempotencyKey: idempotencyKey ?? null,
    fingerprint: keccakOf({ operation: spec.id, body }),
    protocol: 'http',
    accept: { takes: () => true, names: () => false, prefersPage: false },
    ifNoneMatch: null,
    raw: null,
    headers,
    countBuild: async () => undefined,
    signal: new AbortController().signal,
  }
  const read = { query: spec.query?.parse(query) ?? {}, params: spec.params?.parse(params) ?? {}, body: spec.body?.parse(body) ?? {} }
  return {
    ...read,
    caller: wallet === undefined ? null : { ...callerOf(wallet), roles, ...(grantId !== undefined && delegateOf(grantId)) },
    request,
  } as unknown as Input<Spec>
}

type AnswerOf<Spec extends OperationSpec> = Extract<Answer<Spec>, { status: 200 }>

/** Calls a handler as the router does and holds its answer to what the operation declares. */
export const ask = async <Spec extends OperationSpec>(
  spec: Spec,
  handler: (input: Input<Spec>) => Promise<Answer<Spec>>,
  asked: Asked,
): Promise<AnswerOf<Spec>> => {
  const answer = await handler(inputOf(spec, asked))
  assertDeclared(spec, answer as { status: number; body: unknown })
  return answer as AnswerOf<Spec>
}

/** Code and reason of the refusal that `work` ends with. */
export const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'answered'
  } catch (error) {
    if (!isServiceError(error)) throw error
    return [error.code, error.info.reason].filter(Boolean).join(' ')
  }
}

/** An empty database of the test's own, opened. */
export const openOwnDatabase = async () => {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url, poolSize: 5 })
  const close = async (): Promise<void> => {
    await database.close()
    await drop()
  }
  return { url, database, close }
}

/** Runs the steps of a gas grant in this process, in the order of its workflow. */
export const grantEngine = (steps: GasGrantActivities): ApiDeps['engine'] => {
  const requestGasGrant: ApiDeps['engine']['requestGasGrant'] = async (input) => {
    const reserved = await steps.reserveGasGrant(input)
    if (reserved.kind === 'refused') return reserved
    await steps.sendGasGrant(input)
    return { kind: 'over' }
  }
  return { requestGasGrant } as ApiDeps['engine']
}

export type Stage = Awaited<ReturnType<typeof startStage>>

/** A chain with its contracts, a database, and the handlers of accounts and reputation on top. */
export const startStage = async () => {
  const [world, { url, database, close }] = await Promise.all([startWorld(), openOwnDatabase()])
  const settings = readSettings({ DATABASE_URL: url, CHAIN_FILE: 'unused', OPERATOR_KEY, CREDIT_OPERATOR_KEY })
  const chain = chainFileOf(world)
  const clients = createChainClients(chain)
  const clock = { now: () => NOW }
  const signers = createSigners(settings)
  /** Sends of a process whose database or node may be broken. */
  const transactionsWith = (parts: { database?: Database; clients?: ChainClients } = {}) =>
    createTransactions({ database, clients, signers, clock, ...parts })
  const transactions = transactionsWith()
  const reads = createChainReads(chain, clients, operator)
  const steps = createGasGrantSteps({ settings, chain, clients, database, transactions, clock, identities: evmIdentities })
  const engine = grantEngine(steps)
  const logger = { warn: () => undefined }
  const parts = {
    logger,
    settings,
    chain,
    isLocal: true,
    identities: evmIdentities,
    database,
    clock,
    baseUrl: BASE_URL,
    reads,
    clients,
    transactions,
    engine,
  }
  const deps = parts as unknown as ApiDeps
  const handlers = {
    accounts: createAccountHandlers(deps),
    reputation: createReputationHandlers(deps),
    strategies: createStrategyHandlers(deps),
  }
  return { world, database, deps, chain, transactionsWith, ...handlers, stop: close }
}

/** Test money in the wallet itself. */
export const mint = (world: World, wallet: Hex, amountRaw: bigint) => world.run(who.owner, 'token', 'mint', wallet, amountRaw)

/** Test money in the wallet's account. */
export const deposit = async (world: World, wallet: Hex, amountRaw: bigint): Promise<void> => {
  await mint(world, wallet, amountRaw)
  await world.run(wallet, 'token', 'approve', world.at.accounts, amountRaw)
  await world.run(wallet, 'accounts', 'deposit', world.at.token, amountRaw)
}

export { account, reputation }
