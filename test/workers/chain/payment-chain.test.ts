// The journal of a payment chain that is another one than that of the contracts.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parseGwei } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { findJournalRows, type TransactionIntent } from '../../../activities/chain/journal/rows.ts'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { readSigningChains } from '../../../activities/signing-chains.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { catchUp } from '../../../workers/chain/journal-catch-up.ts'
import { startNonceKeepers } from '../../../workers/chain/nonce-keeper.ts'
import { away, type Journal, startJournal, withoutSends } from '../../activities/support/journal-world.ts'
import { type Anvil, startAnvil } from '../../contracts/support/anvil.ts'
import { rpcTo } from '../../contracts/support/rpc.ts'
import { collectLog } from '../../support/log.ts'

const CHAIN_ID = 84_532
const settler = privateKeyToAccount(generatePrivateKey())
let journal: Journal
let anvil: Anvil

beforeAll(async () => {
  ;[journal, anvil] = await Promise.all([startJournal(), startAnvil()])
  await rpc('anvil_setChainId', CHAIN_ID)
  await rpc('anvil_setBalance', settler.address, '0xde0b6b3a7640000')
})
afterAll(async () => {
  await anvil?.stop()
  await journal?.stop()
})
const rpc = (method: string, ...params: unknown[]) => rpcTo(anvil.rpcUrl)(method, ...params)

/** Settings of a service whose verification is paid on a chain with this id. */
const settingsOf = (chainId: number, rpcUrl: string) => {
  const file = join(mkdtempSync(join(tmpdir(), 'payment-chain-')), 'chain.json')
  const asset = { ...journal.world.deployment.asset }
  const place = { chainId, caip2: `eip155:${chainId}`, name: 'payments', local: true, rpc: { primary: rpcUrl }, nativeSymbol: 'ETH' }
  writeFileSync(file, JSON.stringify({ ...place, confirmations: 0, asset }))
  const payTo = `0x${'7'.repeat(40)}`
  return readSettings({
    DATABASE_URL: 'postgres://unused',
    CHAIN_FILE: 'unused',
    VERIFICATION_CHAIN_FILE: file,
    VERIFICATION_PAY_TO: payTo,
  })
}
const intent = (key: string): TransactionIntent => ({ key, to: settler.address, functionName: 'transfer', data: '0x', gas: 100_000n })

describe('the settler on a payment chain of its own', () => {
  test('signs there and nowhere else; on the chain of the contracts it is one of its roles', () => {
    const [own, payment, ...rest] = readSigningChains(settingsOf(CHAIN_ID, anvil.rpcUrl), journal.clients)
    expect([own?.roles, payment?.roles, payment?.clients.chainId, rest]).toEqual([
      ['operator', 'verifier', 'arbitrator'],
      ['settler'],
      CHAIN_ID,
      [],
    ])
    const [same, ...others] = readSigningChains(settingsOf(journal.chainId, journal.world.rpcUrl), journal.clients)
    expect([same?.roles, same?.clients, others]).toEqual([['operator', 'verifier', 'arbitrator', 'settler'], journal.clients, []])
  })

  const play = () => {
    const settings = settingsOf(CHAIN_ID, anvil.rpcUrl)
    const signingChains = readSigningChains(settings, journal.clients)
    const clients = signingChains[1]?.clients
    if (clients === undefined) throw new Error('there is no payment chain')
    const { logger, lines } = collectLog()
    const deps = { ...journal.deps, clients, signers: { settler }, settings, signingChains, logger: logger as never }
    return { deps, clients, lines, transactions: createTransactions(deps) }
  }
  /** Signs a transaction whose process dies before it is sent. */
  const signUnsent = async (key: string): Promise<void> => {
    const { deps, clients } = play()
    const sent = createTransactions({ ...deps, clients: withoutSends(clients, away) }).send('settler', [intent(key)])
    await expect(sent).rejects.toThrow('the node is away')
  }
  const baseFeeOf = async (gwei: bigint): Promise<void> => {
    await rpc('anvil_setNextBlockBaseFeePerGas', `0x${(gwei * parseGwei('1')).toString(16)}`)
    await rpc('evm_mine')
  }
  const statusOf = async (key: string) => (await findJournalRows(journal.database.rows, [key])).get(key)?.status

  test('has its unsent transaction sent when a worker starts', async () => {
    await signUnsent('payment/catch-up')
    const { transactions, deps, lines } = play()
    await catchUp(transactions, 'settler', deps.logger)
    expect(lines).toContainEqual(expect.objectContaining({ role: 'settler', resent: 1 }))
    expect((await transactions.send('settler', [intent('payment/catch-up')]))[0]?.status).toBe('mined')
  })

  test('has its unsent transaction sent, and an outgrown one raised, by the keeper of its chain', async () => {
    await signUnsent('payment/neglected')
    const { deps } = play()
    const keepers = startNonceKeepers(deps)
    const round = async () => {
      for (const keeper of keepers) await keeper.round()
    }
    try {
      journal.pass(60)
      await round()
      expect(keepers[1]?.latest()?.signers.map(({ signer }) => signer)).toEqual([settler.address.toLowerCase()])
      await journal.untilStatus('payment/neglected', 'broadcast')
      journal.pass(60)
      await round()
      expect(await statusOf('payment/neglected')).toBe('mined')

      await rpc('evm_setAutomine', false)
      await baseFeeOf(1n)
      const outcome = play().transactions.send('settler', [intent('payment/outgrown')])
      await journal.untilStatus('payment/outgrown', 'broadcast')
      await baseFeeOf(20n)
      journal.pass(60)
      await round()
      expect(await journal.signatures('payment/outgrown')).toHaveLength(2)
      await rpc('evm_setAutomine', true)
      await rpc('evm_mine')
      expect((await outcome)[0]?.status).toBe('mined')
    } finally {
      await Promise.all(keepers.map((keeper) => keeper.stop()))
    }
  })
})
