import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex } from 'viem'
import { testUsdcAbi } from '../../../../activities/chain/abi/test-usdc.ts'
import { escrowIntent } from '../../../../activities/chain/escrow-calls.ts'
import type { TransactionIntent } from '../../../../activities/chain/journal/rows.ts'
import { DeadTransactionError } from '../../../../activities/chain/journal/send.ts'
import { localKeys } from '../../../../local/keys.ts'
import { hashOf } from '../../../contracts/support/jobs.ts'
import { brokenClients, type Service, startService, walletAt } from '../../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const operator = localKeys().operator.address
let keys = 0

const nextKey = (): string => {
  keys += 1
  return `approve/${keys}`
}

/** A call that always succeeds. */
const approval = (key = nextKey()): TransactionIntent => ({
  key,
  to: service.world.at.token,
  functionName: 'approve',
  data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [walletAt(1), 1n] }),
  gas: 100_000n,
})

/** A call that always reverts: the job is not there. */
const refused = (key: string): TransactionIntent =>
  escrowIntent({ escrow: service.world.at.escrow, jobId: 'none', sessionId: 'none' }, key, 'claimJobFor', [hashOf('none'), walletAt(1)])

/** A process whose node refuses what it sends: it signs, and dies before it sends. */
const expectSignedOnly = async (send: (transactions: Service['transactions']) => Promise<unknown>): Promise<void> => {
  const crashed = service.transactionsOn({ clients: brokenClients(service.clients, { send: true }) })
  await expect(send(crashed)).rejects.toThrow('the node is away')
}

const sentByOperator = (): Promise<number> => service.clients.reader.getTransactionCount({ address: operator })
const rowOf = (key: string) =>
  service.rows.selectFrom('chain_transaction').selectAll().where('intentKey', '=', key).executeTakeFirstOrThrow()
const nonces = async (): Promise<number[]> => {
  const rows = await service.rows
    .selectFrom('chain_transaction')
    .select('nonce')
    .where('signer', '=', operator.toLowerCase())
    .orderBy('nonce')
    .execute()
  return rows.map(({ nonce }) => nonce)
}

describe('the journal', () => {
  test('sends a hundred transactions at once from one key: no nonce is missing or used twice, and every one is mined', async () => {
    const before = await sentByOperator()
    const sent = await Promise.all(Array.from({ length: 100 }, () => service.transactions.send('operator', [approval()])))
    expect(new Set(sent.flat().map(({ status }) => status))).toEqual(new Set(['mined']))
    expect((await nonces()).slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => before + index))
    expect(await sentByOperator()).toBe(before + 100)
  })

  test('sends several dependent transactions of one step in their order', async () => {
    const intents = [approval(), approval(), approval()]
    const mined = await service.transactions.send('operator', intents)
    const rows = await Promise.all(intents.map(({ key }) => rowOf(key)))
    expect(rows.map(({ nonce }) => nonce - (rows[0]?.nonce ?? 0))).toEqual([0, 1, 2])
    expect(mined.map(({ txHash }) => txHash)).toEqual(rows.map(({ txHash }) => txHash))
  })

  test('keeps bytes and hash before anything is sent', async () => {
    const { key } = approval('kept')
    await expectSignedOnly((crashed) => crashed.send('operator', [approval(key)]))
    const row = await rowOf(key)
    expect(row).toMatchObject({ status: 'signed', broadcasts: 0 })
    expect(row.rawTransaction).toMatch(/^0x02/)
    await service.transactions.send('operator', [approval(key)])
  })

  test('one that was signed and never sent does not stall the next one, which sends it first', async () => {
    const lost = approval('lost')
    await expectSignedOnly((crashed) => crashed.send('operator', [lost]))
    const [next] = await service.transactions.send('operator', [approval()])
    expect(next?.status).toBe('mined')
    const { txHash } = await rowOf('lost')
    expect((await service.clients.reader.getTransactionReceipt({ hash: txHash as Hex })).status).toBe('success')
    expect((await service.transactions.send('operator', [lost]))[0]).toMatchObject({ status: 'mined', txHash })
  })

  test('one that was sent while its receipt was lost is not sent again: a repeat gives the first outcome', async () => {
    const before = await sentByOperator()
    const broken = service.transactionsOn({ clients: brokenClients(service.clients, { receipts: true }) })
    await expect(broken.send('operator', [approval('unread')])).rejects.toThrow('the node is away')
    expect(await rowOf('unread')).toMatchObject({ status: 'broadcast' })
    const [found] = await service.transactions.send('operator', [approval('unread')])
    const [again] = await service.transactions.send('operator', [approval('unread')])
    expect(again).toEqual(found)
    expect(await rowOf('unread')).toMatchObject({ status: 'mined', txHash: found?.txHash, revertReason: null })
    expect(await sentByOperator()).toBe(before + 1)
  })

  test('the same intent from several places at once is one transaction', async () => {
    const before = await sentByOperator()
    const sent = await Promise.all(Array.from({ length: 8 }, () => service.transactions.send('operator', [approval('duplicates')])))
    expect(new Set(sent.flat().map(({ txHash }) => txHash)).size).toBe(1)
    expect(await sentByOperator()).toBe(before + 1)
  })

  test('one write address that is away does not matter while another takes the bytes', async () => {
    const { writers } = brokenClients(service.clients, { send: true })
    const half = service.transactionsOn({ clients: { ...service.clients, writers: [...writers, ...service.clients.writers] } })
    expect((await half.send('operator', [approval()]))[0]?.status).toBe('mined')
  })

  test('finds again what a step has sent, in the order of sending', async () => {
    const intents = [approval('step/b'), approval('step/a')]
    expect(await service.transactions.resume(['step/a', 'step/b'])).toEqual([])
    await service.transactions.send('operator', intents)
    expect((await service.transactions.resume(['step/a', 'step/b', 'step/c'])).map(({ key }) => key)).toEqual(['step/b', 'step/a'])
  })
})

describe('a transaction that is reverted', () => {
  test('is an answer that names the contract’s error', async () => {
    const [answer] = await service.transactions.send('operator', [refused('revert/1')])
    expect(answer).toMatchObject({ status: 'reverted', revertReason: 'UnknownJob' })
    expect(await rowOf('revert/1')).toMatchObject({ status: 'reverted', revertReason: 'UnknownJob' })
  })

  test('stays reverted for its key, and a further try of the step has a key of its own', async () => {
    const before = await sentByOperator()
    await service.transactions.send('operator', [refused('retried/0')])
    const mined = await service.transactions.sendStep('operator', 'retried', approval)
    const repeated = await service.transactions.sendStep('operator', 'retried', approval)
    expect(await rowOf('retried/1')).toMatchObject({ status: 'mined' })
    expect(repeated.txHash).toBe(mined.txHash)
    expect(await sentByOperator()).toBe(before + 2)
  })

  test('is that of the process which sent the step meanwhile, where that makes the simulation fail', async () => {
    const { reader } = service.clients
    const call = async (): Promise<unknown> => {
      await service.transactions.sendStep('operator', 'raced', approval)
      const { to, data } = refused('raced')
      return reader.call({ account: operator, to, data })
    }
    const beside = service.transactionsOn({ clients: { ...service.clients, reader: { ...reader, call } as typeof reader } })
    const before = await sentByOperator()
    const { txHash, status } = await beside.sendStep('operator', 'raced', approval)
    expect([txHash, status]).toEqual([(await rowOf('raced/0')).txHash, 'mined'])
    expect(await sentByOperator()).toBe(before + 1)
  })

  test('is not even sent when it can be foreseen', async () => {
    const before = await sentByOperator()
    await expect(service.transactions.sendStep('operator', 'foreseen', refused)).rejects.toThrow(
      'claimJobFor would be reverted now: UnknownJob',
    )
    expect(await sentByOperator()).toBe(before)
    expect(await service.transactions.resume(['foreseen/0'])).toEqual([])
  })
})

describe('a nonce that a transaction outside the journal used up', () => {
  test('marks the transaction that held it as dead: it is never mined, and the step decides again', async () => {
    await expectSignedOnly((crashed) => crashed.sendStep('operator', 'overtaken', approval))
    await service.world.run(operator, 'token', 'approve', walletAt(3), 1n)
    await expect(service.transactions.sendStep('operator', 'overtaken', approval)).rejects.toThrow(DeadTransactionError)
    expect(await rowOf('overtaken/0')).toMatchObject({ status: 'dead' })
    expect(await service.transactions.countDeadTries('overtaken')).toBe(1)
    expect((await service.transactions.sendStep('operator', 'overtaken', approval)).status).toBe('mined')
    expect(await rowOf('overtaken/1')).toMatchObject({ status: 'mined', nonce: (await sentByOperator()) - 1 })
    expect((await service.transactions.sendStep('operator', 'another', approval)).status).toBe('mined')
  })
})

describe('a key that was used outside the journal', () => {
  const useOutside = () => service.world.run(operator, 'token', 'approve', walletAt(2), 1n)

  test('is noticed at the start, and the next transaction takes the right nonce', async () => {
    await useOutside()
    await useOutside()
    const { nextNonce, chainPending } = await service.transactions.reconcile('operator')
    expect(nextNonce).toBe(chainPending)
    expect((await service.transactions.send('operator', [approval()]))[0]?.status).toBe('mined')
  })

  test('is left alone while transactions of the journal are not mined yet', async () => {
    await expectSignedOnly((crashed) => crashed.send('operator', [approval('waiting')]))
    const { nextNonce, chainPending } = await service.transactions.reconcile('operator')
    expect(nextNonce).toBe(chainPending + 1)
    await service.transactions.send('operator', [approval('waiting')])
    expect(await service.transactions.reconcile('operator')).toEqual({ nextNonce: chainPending + 1, chainPending: chainPending + 1 })
  })
})
