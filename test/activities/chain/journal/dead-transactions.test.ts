import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../../../../activities/chain/abi/agent-account-core.ts'
import { testUsdcAbi } from '../../../../activities/chain/abi/test-usdc.ts'
import { createChainClients } from '../../../../activities/chain/clients.ts'
import type { TransactionIntent } from '../../../../activities/chain/journal/rows.ts'
import { createTransactions, DeadTransactionError, type Transactions } from '../../../../activities/chain/journal/send.ts'
import { type Database, openDatabase } from '../../../../activities/database/database.ts'
import { ChainFile } from '../../../../schemas/chain/chain-file.ts'
import { OPERATOR_KEY, startWorld, type World } from '../../../contracts/support/world.ts'
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'

const operator = privateKeyToAccount(OPERATOR_KEY)

let world: World
let place: TestDatabase
let database: Database
let transactions: Transactions

beforeAll(async () => {
  ;[world, place] = await Promise.all([startWorld(), createTestDatabase()])
  database = openDatabase({ url: place.url, poolSize: 4 })
  const chain = ChainFile.parse({
    ...world.deployment,
    caip2: `eip155:${world.deployment.chainId}`,
    name: 'test',
    rpc: { primary: world.rpcUrl },
    nativeSymbol: 'DOT',
  })
  transactions = createTransactions({
    database,
    clients: createChainClients(chain),
    signers: { operator },
    clock: { now: () => Date.now() },
  })
})

afterAll(async () => {
  await database.close()
  await place.drop()
})

const mint = (key: string): TransactionIntent => ({
  key,
  to: world.at.token,
  functionName: 'mint',
  data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [operator.address, 1n] }),
  gas: 200_000n,
})

const withdrawTooMuch = (key: string): TransactionIntent => ({
  key,
  to: world.at.accounts,
  functionName: 'withdraw',
  data: encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'withdraw', args: [world.at.token, 10n ** 30n] }),
  gas: 400_000n,
})

const useNonceOutside = async (): Promise<void> => {
  const wallet = createWalletClient({ account: operator, transport: http(world.rpcUrl) })
  await wallet.sendTransaction({ to: operator.address, value: 0n, chain: null })
}

const journalled = () =>
  database.rows.selectFrom('chain_transaction').select(['intentKey', 'status', 'nonce']).orderBy('createdAt').execute()
const chainNonce = async (): Promise<number> => Number((await world.rpc('eth_getTransactionCount', operator.address, 'latest')) as Hex)

describe('a nonce that another transaction has used', () => {
  test('is proved dead, and the step goes through under its next key with a nonce beyond what the chain has counted', async () => {
    await transactions.sendStep('operator', 'first', mint)
    await useNonceOutside()
    await expect(transactions.sendStep('operator', 'second', mint)).rejects.toThrow(DeadTransactionError)
    expect(await transactions.countDeadTries('second')).toBe(1)

    const mined = await transactions.sendStep('operator', 'second', mint)
    expect(mined.status).toBe('mined')
    expect((await journalled()).map(({ intentKey, status }) => [intentKey, status])).toEqual([
      ['first/0', 'mined'],
      ['second/0', 'dead'],
      ['second/1', 'mined'],
    ])
    expect((await journalled()).at(-1)?.nonce).toBe((await chainNonce()) - 1)
  })

  test('does not hold up a later step of another kind', async () => {
    expect((await transactions.sendStep('operator', 'third', mint)).status).toBe('mined')
  })
})

describe('a call that would be reverted', () => {
  test('is not sent: nothing is journalled, no nonce is spent, the reason is named', async () => {
    const [rows, nonce] = [await journalled(), await chainNonce()]
    await expect(transactions.sendStep('operator', 'withdraw', withdrawTooMuch)).rejects.toThrow(
      /withdraw would be reverted now: InsufficientLiquidity/,
    )
    expect(await journalled()).toEqual(rows)
    expect(await chainNonce()).toBe(nonce)
  })
})

describe('after a restart', () => {
  test('bytes that the node has lost are handed out again in the order of their nonces', async () => {
    await world.rpc('evm_setAutomine', false)
    const waiting = transactions.send('operator', [mint('lost/0/a'), mint('lost/0/b')])
    const isBroadcast = async () =>
      (await journalled()).filter(({ intentKey, status }) => intentKey.startsWith('lost') && status === 'broadcast').length === 2
    await eventually('both transactions are broadcast', isBroadcast)
    await world.rpc('anvil_dropAllTransactions')
    expect(await transactions.resend('operator')).toEqual({ sentCount: 2, refused: null })
    await world.rpc('evm_setAutomine', true)
    await world.rpc('evm_mine')
    expect((await waiting).map(({ status }) => status)).toEqual(['mined', 'mined'])
    expect(await transactions.resend('operator')).toEqual({ sentCount: 0, refused: null })
  })
})
