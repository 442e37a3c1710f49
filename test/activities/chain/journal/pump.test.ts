import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { away, type Journal, signer, startJournal, withoutSends } from '../../support/journal-world.ts'

let journal: Journal
beforeAll(async () => {
  journal = await startJournal()
  await journal.transactions().send('operator', [journal.mint()])
})
afterEach(async () => {
  await journal.mining(true)
  await journal.mine()
})
afterAll(() => journal.stop())

const me = signer as Hex
/** A process that signed and died before it sent. */
const signedOnly = async (...keys: string[]): Promise<void> => {
  const crashed = journal.transactions({ clients: withoutSends(journal.clients, away) })
  await expect(crashed.send('operator', keys.map(journal.mint))).rejects.toThrow('the node is away')
}
/** A process that sent and died before it looked. */
const sentOnly = async (key: string): Promise<void> => {
  const { clients } = journal
  const blind = { ...clients, reader: { ...clients.reader, getTransactionReceipt: away } }
  await expect(journal.transactions({ clients: blind }).send('operator', [journal.mint(key)])).rejects.toThrow('the node is away')
}
const statusesOf = (keys: string[]) => Promise.all(keys.map(async (key) => (await journal.rowOf(key)).status))

describe('a restarted process', () => {
  test('sends again in the order of their nonces what the node has lost, once', async () => {
    const keys = ['restarted/a', 'restarted/b']
    const transactions = journal.transactions()
    await journal.mining(false)
    const waiting = transactions.send('operator', keys.map(journal.mint))
    for (const key of keys) await journal.untilStatus(key, 'broadcast')
    await journal.world.rpc('anvil_dropAllTransactions')
    expect(await transactions.resend('operator')).toEqual({ sentCount: 2, refused: null })
    await journal.mining(true)
    await journal.mine()
    expect((await waiting).map(({ status }) => status)).toEqual(['mined', 'mined'])
    expect(await transactions.resend('operator')).toEqual({ sentCount: 0, refused: null })
  })
})

describe('the pump', () => {
  test('sends signed transactions that were never sent, after some seconds, and closes those that no process waits for', async () => {
    const keys = ['unsent/a', 'unsent/b']
    await signedOnly(...keys)
    expect(await journal.pump().resumeNeglected(me)).toEqual({ sentCount: 0, refused: null })
    expect(await statusesOf(keys)).toEqual(['signed', 'signed'])
    journal.pass(6)
    expect(await journal.pump().resumeNeglected(me)).toEqual({ sentCount: 2, refused: null })
    expect(await statusesOf(keys)).toEqual(['broadcast', 'broadcast'])
    await journal.mine()
    journal.pass(30)
    await journal.pump().resumeNeglected(me)
    expect(await statusesOf(keys)).toEqual(['mined', 'mined'])
  })

  test('may be run by many workers at once: every transaction is mined once', async () => {
    const [before, minted] = [await journal.counted(), await journal.minted()]
    const keys = Array.from({ length: 10 }, (_, index) => `many/${index}`)
    await signedOnly(...keys)
    journal.pass(6)
    await Promise.all(Array.from({ length: 4 }, () => journal.pump().resumeNeglected(me)))
    journal.pass(30)
    await Promise.all(Array.from({ length: 4 }, () => journal.pump().resumeNeglected(me)))
    expect(new Set(await statusesOf(keys))).toEqual(new Set(['mined']))
    expect([await journal.counted(), await journal.minted()]).toEqual([before + 10, minted + 10n])
    const mined = journal.observedSteps.filter(({ step, intentKey }) => step === 'mined' && intentKey.startsWith('many/'))
    expect(mined).toHaveLength(10)
  })

  test('sends again a transaction that a node has lost, when no process waits for it any more', async () => {
    await journal.mining(false)
    await sentOnly('lost')
    await journal.world.rpc('anvil_dropAllTransactions')
    expect(await journal.pump().resumeNeglected(me)).toEqual({ sentCount: 0, refused: null })
    journal.pass(30)
    expect(await journal.pump().resumeNeglected(me)).toEqual({ sentCount: 1, refused: null })
    await journal.mine()
    journal.pass(30)
    await journal.pump().resumeNeglected(me)
    expect(await statusesOf(['lost'])).toEqual(['mined'])
  })

  test('closes a transaction that lost its nonce to one outside the journal, and later transactions go on', async () => {
    await signedOnly('overtaken')
    await journal.outside()
    journal.pass(6)
    expect(await journal.pump().resumeNeglected(me)).toEqual({ sentCount: 0, refused: null })
    expect(await statusesOf(['overtaken'])).toEqual(['dead'])
    expect((await journal.transactions().send('operator', [journal.mint()]))[0]?.status).toBe('mined')
  })

  test('stops at what every write address refuses and names it; nothing above could be mined before', async () => {
    await signedOnly('refused/a', 'refused/b')
    journal.pass(6)
    const { sentCount, refused } = await journal.pump({ clients: withoutSends(journal.clients, away) }).resumeNeglected(me)
    expect([sentCount, refused?.row.intentKey]).toEqual([0, 'refused/a'])
    expect(await journal.pump().resumeNeglected(me)).toEqual({ sentCount: 2, refused: null })
  })

  test('locks no row while it speaks with the node', async () => {
    await signedOnly('unlocked')
    journal.pass(6)
    const release = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const [writer] = journal.clients.writers
    const held = withoutSends(journal.clients, async () => {
      asked.resolve()
      await release.promise
      const { rawTransaction } = await journal.rowOf('unlocked')
      return (writer ?? journal.clients.reader).sendRawTransaction({ serializedTransaction: rawTransaction as Hex })
    })
    const pumping = journal.pump({ clients: held }).resumeNeglected(me)
    await asked.promise
    await journal.database.transaction(async (rows) => {
      await sql`set local lock_timeout = 200`.execute(rows)
      await rows.selectFrom('chain_transaction').selectAll().forUpdate().execute()
      await rows.selectFrom('chain_nonce').selectAll().forUpdate().execute()
    })
    release.resolve()
    expect((await pumping).sentCount).toBe(1)
  })
})

test('each step of a transaction is reported once, with its row', async () => {
  const intent = { ...journal.mint('observed'), jobId: 'job-1', sessionId: 'session-1', requestId: 'request-1' }
  const [mined] = await journal.transactions().send('operator', [intent])
  await journal.transactions().send('operator', [intent])
  const steps = journal.observedSteps.filter(({ intentKey }) => intentKey === 'observed')
  const { nonce } = await journal.rowOf('observed')
  const row = { intentKey: 'observed', signer, nonce, txHash: mined?.txHash, intent: { ...intent, to: intent.to.toLowerCase() } }
  expect(steps).toMatchObject(['signed', 'sent', 'mined'].map((step) => ({ step, ...row })))
})
