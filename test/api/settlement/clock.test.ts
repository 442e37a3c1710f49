import { beforeAll, expect, test } from '@jest/globals'
import type { ApiDeps } from '../../../api/deps.ts'
import { createSettlementHandlers } from '../../../api/settlement/handlers.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { getSettlementClock } from '../../../schemas/settlement/operations.ts'
import { ask, NOW } from '../support/account-world.ts'
import { useDatabase } from '../support/own-database.ts'

const CHAIN_ID = 31_337
const OWN = `0x${'a'.repeat(40)}`
const OTHER = `0x${'b'.repeat(40)}`
const DAY_MS = 86_400_000
const chain = { chainId: CHAIN_ID, contracts: { escrow: { generations: [{ address: OTHER }] } } } as unknown as ChainFile

const database = useDatabase()
let logs = 0
const jobOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
/** An event of a job in a block of its own. */
const add = async (event: string, job: number, at: number, worker?: string): Promise<void> => {
  logs += 1
  await database.rows
    .insertInto('chain_event')
    .values({
      chainId: CHAIN_ID,
      txHash: jobOf(logs),
      logIndex: 0,
      blockNumber: BigInt(logs),
      blockHash: jobOf(logs),
      blockTime: at,
      address: OTHER,
      contract: 'escrow',
      event,
      args: worker === undefined ? {} : { worker },
      chainJobId: jobOf(job),
      movesProcess: false,
      seenAt: at,
      removedAt: null,
      revision: 1,
      notifiedRevision: 1,
    })
    .execute()
}

beforeAll(async () => {
  // Before the window, by the operator's own wallet, paid, waiting.
  await add('WorkSubmitted', 1, NOW - 31 * DAY_MS, OTHER)
  await add('SettlementSplit', 1, NOW - 31 * DAY_MS + 9_000)
  await add('WorkSubmitted', 2, NOW - 60_000, OWN)
  await add('WorkSubmitted', 3, NOW - 50_000, OTHER)
  await add('Verified', 3, NOW - 40_000)
  await add('SettlementSplit', 3, NOW - 20_000)
  await add('WorkSubmitted', 4, NOW - 10_000, OTHER)
  const head = { blockNumber: BigInt(logs), blockHash: jobOf(logs), headNumber: BigInt(logs), caughtUpAt: NOW, missedEvents: 0 }
  await database.rows
    .insertInto('chain_cursor')
    .values({ chainId: CHAIN_ID, ...head, gapBlock: null, gapFoundAt: null })
    .execute()
})

const read = async (identities: Record<string, object>) => {
  const settings = readSettings({
    DATABASE_URL: 'postgres://unused',
    CHAIN_FILE: 'unused',
    OPERATOR_IDENTITIES: JSON.stringify(identities),
  })
  const handlers = createSettlementHandlers({ settings, chain, database, clock: { now: () => NOW } } as ApiDeps)
  return (await ask(getSettlementClock, handlers.getSettlementClock, {})).body
}

test('counts the newest submissions of 30 days, and names the one that waits longest', async () => {
  expect(await read({})).toMatchObject({
    window: { fromBlock: '3', toBlock: '7', submissions: 3 },
    submittedToVerdict: { count: 1, medianSeconds: 10 },
    verdictToPaid: { count: 1, medianSeconds: 20 },
    submittedToPaid: { count: 1, medianSeconds: 30 },
    unpaid: { count: 2, oldest: { chainJobId: jobOf(2), waitingSeconds: 60, waitingFor: 'operator', reason: 'no_session' } },
  })
})

test('leaves out the wallets of the operator, in any spelling', async () => {
  const { excludedWallets, window, unpaid } = await read({ [OWN.toUpperCase().replace('0X', '0x')]: { kind: 'canary' } })
  expect(excludedWallets).toEqual([OWN])
  expect(window).toEqual({ fromBlock: '4', toBlock: '7', submissions: 2 })
  expect(unpaid).toMatchObject({ count: 1, oldest: { chainJobId: jobOf(4) } })
})

test('an address that is none stops the start', async () => {
  await expect(read({ '0x12': { kind: 'canary' } })).rejects.toThrow('OPERATOR_IDENTITIES')
})
