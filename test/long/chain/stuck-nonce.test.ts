import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, parseTransaction } from 'viem'
import { checkFeeRaises } from '../../../activities/audit/caps.ts'
import type { Audit } from '../../../activities/audit/context.ts'
import { createNonceStatus } from '../../../activities/chain/journal/nonce-status.ts'
import { type NonceAct, parseFees } from '../../../activities/chain/journal/replacement.ts'
import { markBroadcast } from '../../../activities/chain/journal/rows.ts'
import type { AuditFinding } from '../../../schemas/audit/record.ts'
import { startNonceKeeper } from '../../../workers/chain/nonce-keeper.ts'
import { away, type Journal, operator, signer, startJournal, withoutSends } from '../../activities/support/journal-world.ts'
import { collectLog } from '../../support/log.ts'

const WARN = 40

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

const done = (act: NonceAct) => {
  if (!act.done) throw new Error(`refused: ${act.refusal} ${act.detail}`)
  return act
}
const refusalOf = (act: NonceAct): string => (act.done ? 'done' : act.refusal)

/** A step that waits for a transaction the chain does not mine. */
const waitingStep = async (key: string) => {
  await journal.mining(false)
  const outcome = journal.transactions().send('operator', [journal.mint(key)])
  return { outcome, row: await journal.untilStatus(key, 'broadcast') }
}

describe('a nonce that is stuck', () => {
  test('is found after its time by its lowest open transaction, not before, and not while it is mined in time', async () => {
    const { outcome, row } = await waitingStep('found')
    expect((await journal.status(1_000)).trouble).toBeNull()
    journal.pass(1_000)
    const { trouble, open, nextNonce, chainLatest } = await journal.status(1_000)
    expect(trouble).toMatchObject({ kind: 'stuck', nonce: row.nonce })
    expect([open[0]?.txHash, nextNonce - chainLatest]).toEqual([row.txHash, 1])
    await journal.mine()
    await outcome
    expect((await journal.status(1)).trouble).toBeNull()
  })

  test('whose fee the chain has outgrown is replaced by the same call for more, and the waiting step ends with the new hash', async () => {
    const before = await journal.minted()
    await journal.mining(false)
    const outcome = journal.transactions().send('operator', [journal.mint('outgrown')])
    const old = await journal.untilStatus('outgrown', 'broadcast')
    const baseFee = parseFees(old.rawTransaction as Hex).maxFeePerGas + 1_000_000_000n
    await journal.world.rpc('anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`)
    await journal.mine()
    expect(await journal.counted()).toBe(old.nonce)

    const act = done(await journal.replacement().replace('operator', old.nonce))
    expect([act.accepted, act.row.nonce, act.oldHash]).toEqual([true, old.nonce, old.txHash])
    await journal.mining(true)
    await journal.mine()
    const [mined] = await outcome
    expect([mined?.status, mined?.txHash]).toEqual(['mined', act.row.txHash])
    expect(await journal.rowOf('outgrown')).toMatchObject({
      status: 'mined',
      txHash: act.row.txHash,
      rawTransaction: act.row.rawTransaction,
    })
    expect(await journal.signatures('outgrown')).toEqual([old.txHash, act.row.txHash])
    expect(await journal.minted()).toBe(before + 1n)
    await journal.world.rpc('anvil_setNextBlockBaseFeePerGas', '0x0')
  })

  test('keeps call and nonce in its replacement, and raises both fee caps by an eighth or more', async () => {
    const { outcome, row } = await waitingStep('raised')
    const [first, second] = [row.rawTransaction as Hex, done(await journal.replacement().replace('operator', row.nonce)).row.rawTransaction]
    const call = (raw: Hex) => {
      const { to, data, gas, value, nonce, chainId, type } = parseTransaction(raw)
      return { to, data, gas, value, nonce, chainId, type }
    }
    expect(call(second)).toEqual(call(first))
    const [old, raised] = [parseFees(first), parseFees(second)]
    for (const cap of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
      expect(raised[cap] * 8n).toBeGreaterThanOrEqual(old[cap] * 9n)
      expect(raised[cap]).toBeGreaterThan(old[cap])
    }
    await journal.mine()
    await outcome
  })

  test('whose first bytes are mined after all ends with their hash: nothing of either signature is lost', async () => {
    const { outcome, row: old } = await waitingStep('after-all')
    const lost = journal.replacement({ clients: withoutSends(journal.clients, away) })
    const act = done(await lost.replace('operator', old.nonce))
    expect([act.accepted, act.reason]).toEqual([false, 'the node is away'])
    expect(await journal.rowOf('after-all')).toMatchObject({ status: 'signed', txHash: act.row.txHash, broadcastAt: null })
    await journal.mine()
    const [mined] = await outcome
    expect([mined?.status, mined?.txHash]).toEqual(['mined', old.txHash])
    expect(await journal.rowOf('after-all')).toMatchObject({ status: 'mined', txHash: old.txHash, rawTransaction: old.rawTransaction })
    expect(await journal.signatures('after-all')).toEqual([old.txHash, act.row.txHash])
    const [again] = await journal.transactions().send('operator', [journal.mint('after-all')])
    expect(again?.txHash).toBe(old.txHash)
  })

  test('whose first bytes were mined while no process waited is not taken for dead: a step started again finds them', async () => {
    const before = await journal.minted()
    await journal.mining(false)
    const blind = { ...journal.clients, reader: { ...journal.clients.reader, getTransactionReceipt: away } }
    await expect(journal.transactions({ clients: blind }).send('operator', [journal.mint('anew')])).rejects.toThrow('the node is away')
    const old = await journal.rowOf('anew')
    const lost = journal.replacement({ clients: withoutSends(journal.clients, away) })
    const act = done(await lost.replace('operator', old.nonce))
    expect(await markBroadcast(journal.database.rows, { ...act.row, txHash: old.txHash as Hex }, Date.now())).toBe(false)
    expect(await journal.rowOf('anew')).toMatchObject({ status: 'signed', broadcasts: 0 })
    await journal.mine()
    const [mined] = await journal.transactions().send('operator', [journal.mint('anew')])
    expect([mined?.status, mined?.txHash]).toEqual(['mined', old.txHash])
    expect(await journal.minted()).toBe(before + 1n)
  })

  test('is replaced by a process that dies before sending: the step that waits elsewhere sends the new bytes', async () => {
    const { outcome, row: old } = await waitingStep('taken-over')
    const act = done(await journal.replacement({ clients: withoutSends(journal.clients, away) }).replace('operator', old.nonce))
    await journal.world.rpc('anvil_dropTransaction', old.txHash)
    await journal.untilStatus('taken-over', 'broadcast')
    await journal.mine()
    expect((await outcome)[0]?.txHash).toBe(act.row.txHash)
  })

  test('is replaced again for more, and each signature stays', async () => {
    const { outcome, row } = await waitingStep('twice')
    const first = done(await journal.replacement().replace('operator', row.nonce))
    const second = done(await journal.replacement().replace('operator', row.nonce))
    expect(second.fees.maxFeePerGas).toBeGreaterThan(first.fees.maxFeePerGas)
    expect(await journal.signatures('twice')).toEqual([row.txHash, first.row.txHash, second.row.txHash])
    await journal.mine()
    expect((await outcome)[0]?.txHash).toBe(second.row.txHash)
  })

  test('is replaced once by several operators at once: the others change nothing, no bytes are lost', async () => {
    const { outcome, row } = await waitingStep('operators')
    const acts = await Promise.all(Array.from({ length: 4 }, () => journal.replacement().replace('operator', row.nonce)))
    const winners = acts.filter((act) => act.done)
    const others = acts.filter((act) => !act.done).map(refusalOf)
    const known = await journal.signatures('operators')
    expect(known).toHaveLength(1 + winners.length)
    expect(known).toEqual(expect.arrayContaining([row.txHash, ...winners.map((act) => done(act).row.txHash)]))
    expect(others).toEqual(others.map(() => 'replaced_meanwhile'))
    await journal.mine()
    expect((await outcome)[0]?.txHash).toBe(known.at(-1))
  })
})

describe('a transaction whose price the base fee has outgrown', () => {
  const GWEI = 1_000_000_000n
  const BOUNDS = { factor: 5, dailyRaw: 10n ** 18n }
  const baseFeeOf = async (gwei: bigint): Promise<void> => {
    await journal.world.rpc('anvil_setNextBlockBaseFeePerGas', `0x${(gwei * GWEI).toString(16)}`)
    await journal.mine()
  }
  /** A step whose transaction waits since the base fee rose from one gwei. */
  const outgrownStep = async (key: string, gwei = 20n) => {
    await journal.mining(false)
    await baseFeeOf(1n)
    const outcome = journal.transactions().send('operator', [journal.mint(key)])
    const old = await journal.untilStatus(key, 'broadcast')
    await baseFeeOf(gwei)
    expect(await journal.counted()).toBe(old.nonce)
    return { outcome, old }
  }
  const raise = async (bounds = BOUNDS) => journal.replacement().raise('operator', (await journal.status()).open, bounds)
  const costs = async (key: string): Promise<bigint[]> => {
    const found = await journal.database.rows.selectFrom('chain_signature').select('raisedRaw').where('intentKey', '=', key).execute()
    return found.flatMap(({ raisedRaw }) => raisedRaw ?? [])
  }
  const overruns = async (): Promise<AuditFinding[]> => {
    const found: AuditFinding[] = []
    await checkFeeRaises({ rows: journal.database.rows } as Audit, (finding) => found.push(finding))
    return found
  }
  afterEach(() => baseFeeOf(0n))

  test('twentyfold is replaced by the keeper within the cap, without a command, and the waiting step ends with the new hash', async () => {
    const before = await journal.minted()
    const { outcome, old } = await outgrownStep('raised by itself')
    const { logger, lines } = collectLog()
    const keeper = startNonceKeeper({
      pump: journal.pump(),
      status: createNonceStatus({ ...journal.deps, stuckAfterSeconds: 120 }),
      raise: ({ open }) => journal.replacement().raise('operator', open, BOUNDS),
      roleOf: () => 'operator',
      logger,
    })
    await keeper.round()
    expect(await journal.signatures('raised by itself')).toEqual([])
    journal.pass(10)
    await keeper.round()
    await keeper.stop()
    const { rawTransaction, txHash } = await journal.rowOf('raised by itself')
    const [first, raised] = [parseFees(old.rawTransaction as Hex), parseFees(rawTransaction as Hex)]
    expect(raised.maxFeePerGas).toBeGreaterThan(20n * GWEI)
    expect(raised.maxFeePerGas).toBeLessThanOrEqual(first.maxFeePerGas * 5n)
    expect(await costs('raised by itself')).toEqual([200_000n * (raised.maxFeePerGas - first.maxFeePerGas)])
    await journal.mining(true)
    await journal.mine()
    const [mined] = await outcome
    expect([mined?.status, mined?.txHash]).toEqual(['mined', txHash])
    expect([await journal.minted(), await overruns()]).toEqual([before + 1n, []])
    expect(lines.filter(({ level }) => level >= WARN)).toEqual([])
  })

  test('is left to the command above the cap, and where the operator lets the service raise none', async () => {
    const { outcome, old } = await outgrownStep('above the cap', 100n)
    journal.pass(10)
    expect((await raise()).map(refusalOf)).toEqual(['above_fee_cap'])
    expect(await raise({ ...BOUNDS, factor: 1 })).toEqual([])
    expect(await journal.signatures('above the cap')).toEqual([])
    journal.pass(110)
    expect((await journal.status(120)).trouble).toMatchObject({ kind: 'stuck', nonce: old.nonce })
    done(await journal.replacement().replace('operator', old.nonce))
    expect(await costs('above the cap')).toEqual([])
    await journal.mining(true)
    await journal.mine()
    expect((await outcome)[0]?.status).toBe('mined')
  })

  test('is raised by one of two workers, for each of several that wait, up to the limit of the day', async () => {
    const keys = ['day/1', 'day/2', 'day/3']
    await journal.mining(false)
    await baseFeeOf(1n)
    const outcomes = keys.map((key) => journal.transactions().send('operator', [journal.mint(key)]))
    for (const key of keys) await journal.untilStatus(key, 'broadcast')
    await baseFeeOf(20n)
    journal.pass(86_400)
    const one = 200_000n * 30n * GWEI
    const acts = (await Promise.all([1, 2].map(() => raise({ ...BOUNDS, dailyRaw: 2n * one })))).flat()
    const refusals = acts.filter((act) => !act.done).map(refusalOf)
    expect(refusals.every((refusal) => ['replaced_meanwhile', 'above_daily_fees'].includes(refusal))).toBe(true)
    // A worker that another one overtook ends its round; the next one goes on.
    const next = await raise({ ...BOUNDS, dailyRaw: 2n * one })
    expect(next.map(refusalOf).at(-1)).toBe('above_daily_fees')
    const raised = (await Promise.all(keys.map(costs))).map(({ length }) => length)
    expect([raised.toSorted(), await overruns()]).toEqual([[0, 1, 1], []])
    await journal.database.rows.updateTable('chain_signature').set({ raiseLimitRaw: one }).where('raisedRaw', 'is not', null).execute()
    expect(await overruns()).toEqual([expect.objectContaining({ expected: `at most ${one}` })])

    // On the next day the service goes on by itself.
    journal.pass(86_400)
    await raise()
    await journal.mining(true)
    await journal.mine()
    expect((await Promise.all(outcomes)).map(([mined]) => mined?.status)).toEqual(['mined', 'mined', 'mined'])
  })

  test('is not raised while the base fee lets it in: a chain that makes no blocks asks for no more', async () => {
    const { outcome } = await waitingStep('slow chain')
    journal.pass(3_600)
    expect(await raise()).toEqual([])
    await journal.mine()
    await outcome
  })
})

describe('a replacement is refused', () => {
  test('for what is mined, for what the journal does not hold, and for a nonce the chain has counted', async () => {
    const [mined] = await journal.transactions().send('operator', [journal.mint('refused/mined')])
    expect(mined?.status).toBe('mined')
    const { nonce } = await journal.rowOf('refused/mined')
    expect(refusalOf(await journal.replacement().replace('operator', nonce))).toBe('not_pending')
    expect(refusalOf(await journal.replacement().replace('operator', nonce + 50))).toBe('no_row')

    const crashed = journal.transactions({ clients: withoutSends(journal.clients, away) })
    await expect(crashed.send('operator', [journal.mint('refused/used')])).rejects.toThrow('the node is away')
    await journal.outside()
    // Mined at once, and a moment after the answer.
    await journal.mine()
    expect(refusalOf(await journal.replacement().replace('operator', nonce + 1))).toBe('nonce_used')
    expect(await journal.signatures('refused/used')).toEqual([])
    await expect(journal.transactions().send('operator', [journal.mint('refused/used')])).rejects.toThrow('can never be mined')
  })

  test('while a write address cannot be asked what it has counted', async () => {
    const { outcome, row } = await waitingStep('unproved')
    const [writer] = journal.clients.writers
    if (!writer) throw new Error('no write address')
    const clients = { ...journal.clients, writers: [writer, { ...writer, getTransactionCount: away }] }
    expect(refusalOf(await journal.replacement({ clients }).replace('operator', row.nonce))).toBe('node_unreachable')
    await journal.mine()
    await outcome
  })
})

describe('a nonce that no transaction holds', () => {
  /** What is left when the count of a pool was believed and the pool then lost what it counted. */
  const makeHole = async (): Promise<number> => {
    const { nextNonce } = await journal.status()
    await journal.database.rows
      .updateTable('chain_nonce')
      .set({ nextNonce: nextNonce + 1 })
      .where('signer', '=', signer)
      .execute()
    return nextNonce
  }

  test('is found at once, is filled by a transfer of nothing to the signer, and what waited behind it is mined', async () => {
    const hole = await makeHole()
    const outcome = journal.transactions().send('operator', [journal.mint('behind')])
    await journal.untilStatus('behind', 'broadcast')
    const { trouble, missing } = await journal.status(1_000)
    expect([trouble, missing]).toEqual([{ kind: 'missing', nonce: hole, forSeconds: null }, [hole]])

    const act = done(await journal.replacement().fill('operator', hole))
    expect([act.accepted, act.row.nonce]).toEqual([true, hole])
    expect((await outcome)[0]?.status).toBe('mined')
    const filled = parseTransaction(act.row.rawTransaction)
    expect([filled.to?.toLowerCase(), filled.value ?? 0n, filled.data ?? '0x']).toEqual([operator.address.toLowerCase(), 0n, '0x'])
    expect((await journal.status()).trouble).toBeNull()
    journal.pass(60)
    await journal.pump().resumeNeglected(act.row.signer)
    expect(await journal.rowOf(act.row.intentKey)).toMatchObject({ status: 'mined', functionName: 'fill' })
  })

  test('is filled once by several operators at once', async () => {
    const hole = await makeHole()
    const acts = await Promise.all(Array.from({ length: 3 }, () => journal.replacement().fill('operator', hole)))
    const outcomes = acts.map(refusalOf).sort()
    expect(outcomes[0]).toBe('done')
    expect(outcomes.slice(1).every((refusal) => ['row_exists', 'nonce_used', 'held_by_pool'].includes(refusal))).toBe(true)
    expect((await journal.transactions().send('operator', [journal.mint()]))[0]?.status).toBe('mined')
  })

  test('is not one that a row holds, that a pool holds, that was mined, or that was not handed out yet', async () => {
    const { outcome, row } = await waitingStep('held')
    const { fill } = journal.replacement()
    expect(refusalOf(await fill('operator', row.nonce))).toBe('held_by_pool')
    expect(refusalOf(await fill('operator', row.nonce + 1))).toBe('not_handed_out')
    expect(refusalOf(await fill('operator', row.nonce - 1))).toBe('nonce_used')
    await journal.world.rpc('anvil_dropTransaction', row.txHash)
    expect(refusalOf(await fill('operator', row.nonce))).toBe('row_exists')
    await journal.untilStatus('held', 'broadcast')
    await journal.mining(true)
    expect((await outcome)[0]?.status).toBe('mined')
  })

  test('is no trouble while a transaction of another sender waits for it in the pool', async () => {
    await journal.mining(false)
    await journal.outside(await journal.counted())
    await makeHole()
    expect((await journal.status()).trouble).toBeNull()
    await journal.mine()
    expect((await journal.status()).trouble).toBeNull()
  })
})
