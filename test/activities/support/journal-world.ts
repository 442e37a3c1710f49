// The journal on a real PostgreSQL and a real chain, with one signer and short ways to bring a nonce into trouble.
import { createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { testUsdcAbi } from '../../../activities/chain/abi/test-usdc.ts'
import { type ChainClients, createChainClients } from '../../../activities/chain/clients.ts'
import type { JournalStep, Observe } from '../../../activities/chain/journal/broadcast.ts'
import { createNonceStatus } from '../../../activities/chain/journal/nonce-status.ts'
import { createPump } from '../../../activities/chain/journal/pump.ts'
import { createReplacement } from '../../../activities/chain/journal/replacement.ts'
import type { JournalRow, TransactionIntent } from '../../../activities/chain/journal/rows.ts'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { openDatabase } from '../../../activities/database/database.ts'
import { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { OPERATOR_KEY, startWorld } from '../../contracts/support/world.ts'
import { createTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

export const operator = privateKeyToAccount(OPERATOR_KEY)
export const signer = operator.address.toLowerCase()

/** Clients whose write addresses lose what is sent, or refuse it. */
export const withoutSends = (clients: ChainClients, send: () => Promise<Hex>): ChainClients => ({
  ...clients,
  writers: clients.writers.map((writer) => ({ ...writer, sendRawTransaction: send })),
})

export const away = async (): Promise<never> => {
  throw new Error('the node is away')
}

export const startJournal = async () => {
  const [world, place] = await Promise.all([startWorld(), createTestDatabase()])
  const database = openDatabase({ url: place.url, poolSize: 8 })
  const chain = ChainFile.parse({
    ...world.deployment,
    caip2: `eip155:${world.deployment.chainId}`,
    name: 'test',
    rpc: { primary: world.rpcUrl },
    nativeSymbol: 'DOT',
  })
  const clients = createChainClients(chain)
  let offsetMs = 0
  const clock = { now: () => Date.now() + offsetMs }
  const observedSteps: (JournalRow & { step: JournalStep })[] = []
  const observe: Observe = (step, row) => void observedSteps.push({ ...row, step })
  const deps = { database, clients, clock, signers: { operator }, observe }
  const wallet = createWalletClient({ account: operator, transport: http(world.rpcUrl) })
  let keys = 0

  const rowOf = (key: string) =>
    database.rows.selectFrom('chain_transaction').selectAll().where('intentKey', '=', key).executeTakeFirstOrThrow()
  const find = (key: string) => database.rows.selectFrom('chain_transaction').selectAll().where('intentKey', '=', key).executeTakeFirst()

  return {
    world,
    database,
    clients,
    chainId: world.deployment.chainId,
    databaseUrl: place.url,
    deps,
    observedSteps,
    rowOf,
    /** What the process of an API or a worker is made of; connections may be broken. */
    transactions: (parts: { clients?: ChainClients } = {}) => createTransactions({ ...deps, ...parts }),
    pump: (parts: { clients?: ChainClients } = {}) => createPump({ ...deps, ...parts }),
    replacement: (parts: { clients?: ChainClients } = {}) => createReplacement({ ...deps, ...parts }),
    status: async (stuckAfterSeconds = 1) => {
      const found = (await createNonceStatus({ ...deps, stuckAfterSeconds })()).find((one) => one.signer === signer)
      if (!found) throw new Error('the journal does not know the signer')
      return found
    },
    /** The service clock goes on; the chain's does not. */
    pass: (seconds: number): void => {
      offsetMs += seconds * 1_000
    },
    /** A call that always succeeds. */
    mint: (key = `mint/${++keys}`): TransactionIntent => ({
      key,
      to: world.at.token,
      functionName: 'mint',
      data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [operator.address, 1n] }),
      gas: 200_000n,
    }),
    /** Uses a nonce beside the journal. */
    outside: (nonce?: number): Promise<Hex> =>
      wallet.sendTransaction({ to: operator.address, value: 0n, chain: null, ...(nonce !== undefined && { nonce }) }),
    untilStatus: async (key: string, status: string) => {
      await eventually(
        `${key} is ${status}`,
        async () => (await find(key))?.status,
        (found) => found === status,
      )
      return rowOf(key)
    },
    signatures: async (key: string): Promise<string[]> => {
      const found = await database.rows
        .selectFrom('chain_signature')
        .select('txHash')
        .where('intentKey', '=', key)
        .orderBy('number')
        .execute()
      return found.map(({ txHash }) => txHash)
    },
    counted: async (): Promise<number> => Number((await world.rpc('eth_getTransactionCount', operator.address, 'latest')) as Hex),
    minted: async (): Promise<bigint> =>
      clients.reader.readContract({ address: world.at.token, abi: testUsdcAbi, functionName: 'balanceOf', args: [operator.address] }),
    mining: (on: boolean) => world.rpc('evm_setAutomine', on),
    mine: () => world.rpc('evm_mine'),
    stop: async (): Promise<void> => {
      await database.close()
      await place.drop()
    },
  }
}
export type Journal = Awaited<ReturnType<typeof startJournal>>
