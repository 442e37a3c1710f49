import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createScanClient } from '../../../activities/chain/clients.ts'
import type { Database } from '../../../activities/database/database.ts'
import { runRebuild } from '../../../activities/rebuild/run.ts'
import { createSessionLogSteps } from '../../../activities/session-log/close-day.ts'
import { REBUILD_INPUTS } from '../../../domain/rebuild/inputs.ts'
import { type RebuildReport, rebuildOutcome } from '../../../domain/rebuild/report.ts'
import { readRebuildCommand } from '../../../workers/rebuild.ts'
import { type FollowerWorld, startFollowerWorld } from '../support/follower-world.ts'
import { checkWithFault, runProgram } from '../support/planted-faults.ts'

const HOUR = 3_600_000

let world: FollowerWorld
let paid: { sessionId: string; chainJobId: string }

beforeAll(async () => {
  world = await startFollowerWorld()
  paid = await world.life.paid()
  await world.life.rejected()
  await world.life.claimed()
  await world.life.submitted()
  await world.follow()
  const { database, chain, clock } = world
  const at = { now: () => clock.now() + 24 * HOUR }
  await createSessionLogSteps({ database, chain, clock: at, sign: world.sign }).closeLogDay()
})
afterAll(() => world.stop())

/** A rebuild an hour later, when records and chain have settled. */
const rebuild = (database: Database = world.database, chain = world.chain): Promise<RebuildReport> =>
  runRebuild({ database, chain, client: createScanClient(chain), readKey: world.readKey, now: () => world.clock.now() + HOUR })

/** A rebuild of records that a fault has changed. */
const rebuildWith = (statements: string) => checkWithFault(world.database, statements, rebuild)

test('a rebuild of a stack after its flows gives every stored byte', async () => {
  const report = await rebuild()
  expect(report.differences).toEqual([])
  expect(report.sources.map(({ check, outcome }) => [check, outcome])).toEqual([
    ['chain_events', 'passed'],
    ['session_log', 'passed'],
  ])
  expect(report.rebuilt).toEqual({ sessions: 4, badges: 1, receipts: 1, ledgerEntries: 1, wallets: 1 })
  expect([report.withoutChain, rebuildOutcome(report)]).toEqual([0, 'equal'])
})

const SCORES = ['scores.skill', 'scores.reliability', 'scores.economic']

const FAULTS: [fault: string, members: string[], statements: string][] = [
  ...(
    [
      ['status', `'expired' where status = 'claimed'`],
      ['chainState', `'submitted' where status = 'resolved'`],
      ['submittedAt', `submitted_at + interval '1 ms' where status = 'resolved'`],
      ['resolvedAt', `resolved_at + interval '1 ms' where status = 'resolved'`],
      ['rejectedAt', `rejected_at - interval '1 s' where status = 'rejected'`],
      ['closedAt', `now() where status = 'claimed'`],
      ['claimExpiresAt', `claim_expires_at + interval '1 h' where status = 'claimed'`],
      ['countsAsAttempt', `false where status = 'claimed'`],
      ['protocolHistory', `'["mcp"]' where status = 'claimed'`],
      ['claimStakeRaw', `claim_stake_raw + 1 where status = 'claimed'`],
      ['claimNumber', `claim_number + 1 where status = 'claimed'`],
      ['submitTxHash', `claim_tx_hash where status = 'submitted'`],
      ['verificationId', `null where status = 'rejected'`],
      ['verificationSummary.outcome', `jsonb_set(verification_summary, '{outcome}', '"approved"') where status = 'rejected'`],
      ['payoutTx.settlement.workerAmountRaw', `jsonb_set(payout_tx, '{settlement,workerAmountRaw}', '"1"') where status = 'resolved'`],
      ['disputeResolution', `'{"kind":"arbitration"}' where status = 'resolved'`],
    ] as const
  ).map(([member, to]): (typeof FAULTS)[number] => {
    const column = (member.split('.')[0] ?? '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return [`an altered session ${member}`, [`session.${member}`], `update session set ${column} = ${to}`]
  }),
  ['altered evidence', ['session.evidenceHash'], `update session set evidence_hash = '0x' || repeat('1', 64) where status = 'submitted'`],
  [
    'an entry that the log lost',
    ['session.status', 'session.submittedAt'],
    `delete from session_event where to_status = 'submitted' and session_id in (select session_id from session where status = 'submitted')`,
  ],
  [
    'an altered description of a badge',
    ['badge.document.description', 'badge.signature'],
    `update badge set document = jsonb_set(document, '{description}', '"Better work"')`,
  ],
  [
    'an altered signature of a badge',
    ['badge.signature'],
    `update badge set document = jsonb_set(document, '{signature,signedAt}', '"2020-01-01T00:00:00.000Z"')`,
  ],
  ['a badge of another level', ['badge.level'], 'update badge set level = 2'],
  ['a deleted badge', ['badge'], 'delete from badge'],
  [
    'a badge of rejected work',
    ['badge', 'badge.signature'],
    `insert into badge select (select session_id from session where status = 'rejected'), job_id, worker, category, level, evidence_hash, chain_job_id, issued_at, '{}' from badge`,
  ],
  [
    'an altered outcome of a receipt',
    ['receipt.document.verdict.outcome', 'receipt.signature'],
    `update work_receipt set document = replace(document, '"outcome":"approved","policyTags"', '"outcome":"rejected","policyTags"')`,
  ],
  ['a receipt with other bytes', ['receipt.bytes'], `update work_receipt set document = document || ' '`],
  ['a receipt of another worker', ['receipt.worker'], `update work_receipt set worker = '0x' || repeat('1', 40)`],
  ['an altered score', ['reputation.applied.skill', 'scores.skill'], 'update reputation_event set applied_skill = applied_skill + 1'],
  [
    'a score that unlocks another tier',
    ['reputation.applied.skill', 'scores.skill', 'scores.tier'],
    'update reputation_event set applied_skill = 300',
  ],
  ['an altered reason of the ledger', ['reputation.reason'], `update reputation_event set reason = 'GIFT'`],
  ['an altered time of the ledger', ['reputation.at'], `update reputation_event set at = at - interval '1 day'`],
  ['a deleted entry of the ledger', ['reputation', ...SCORES], 'delete from reputation_event'],
  [
    'a second entry of the ledger',
    ['reputation', ...SCORES],
    `insert into reputation_event (wallet, session_id, kind, nominal_skill, nominal_reliability, nominal_economic, applied_skill,
        applied_reliability, applied_economic, reason, scoring_version, at) select wallet, session_id, 'approval_level_2', 50, 40, 1, 50, 40, 1,
        'MILESTONES_APPROVED', 1, at from reputation_event`,
  ],
]

describe('a planted difference', () => {
  test.each(FAULTS)('%s is found as %j', async (_fault, members, statements) => {
    const report = await rebuildWith(statements)
    expect([...new Set(report.differences.map(({ member }) => member))].sort()).toEqual([...members].sort())
    expect(rebuildOutcome(report)).toBe('different')
  })
})

describe('sources', () => {
  test('that were altered are named, and the records that no longer follow from them', async () => {
    const report = await rebuildWith(
      `update chain_event set tx_hash = '0x' || repeat('f', 64) where event = 'JobClaimed' and chain_job_id = '${paid.chainJobId}'`,
    )
    expect(report.sources.find(({ check }) => check === 'chain_events')?.outcome).toBe('failed')
    expect(report.differences).toEqual([
      {
        subject: `session ${paid.sessionId}`,
        member: 'session',
        stored: 'resolved',
        rebuilt: 'not possible: has no claim with its terms on chain',
      },
    ])
  })

  test.each([
    ['no recorded block', 'delete from chain_mark; delete from chain_cursor', 'no block of the chain is recorded'],
    ['a gap of the events', 'update chain_cursor set gap_block = block_number', 'the records lack events'],
  ])('are unread with %s', async (_, text, reason) => {
    const report = await rebuildWith(text)
    expect([rebuildOutcome(report), report.reason]).toEqual(['unread', expect.stringContaining(reason)])
  })

  test('are unread while the node does not answer', async () => {
    const chain = { ...world.chain, rpc: { ...world.chain.rpc, primary: 'http://127.0.0.1:9' } }
    expect(rebuildOutcome(await rebuild(world.database, chain))).toBe('unread')
  })
})

const command = (...args: [string[], Record<string, string>?]) => runProgram(world, 'rebuild', ...args)

describe('the command', () => {
  test('ends with 0 and lists every member that is not rebuilt', () => {
    const { status, stdout } = command(['--check', '--verbose'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('0 differences.') })
    for (const [member, why] of Object.entries(REBUILD_INPUTS)) expect(stdout).toContain(`  ${member}: ${why}`)
  })

  test.each([
    ['an unknown option', ['--check', '--write'], {}],
    ['a database that does not answer', ['--check'], { DATABASE_URL: 'postgresql://127.0.0.1:9/none' }],
  ])('ends with 2 for %s', (_, args, changes) => {
    expect(command(args, changes).status).toBe(2)
  })

  test('needs --check, and reads a number of blocks from 1', () => {
    for (const args of [[], ['--check', '--blocks', '0']]) expect(readRebuildCommand(args)).toBeNull()
    expect(readRebuildCommand(['--check', '--blocks', '5'])).toEqual({ check: true, verbose: false, json: false, blocks: 5 })
  })

  test('ends with 1 and names subject and member of a difference', async () => {
    const plant = (counts: boolean) =>
      world.rows.updateTable('session').set({ countsAsAttempt: counts }).where('status', '=', 'submitted').execute()
    await plant(false)
    const { status, stdout } = command(['--check'])
    await plant(true)
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: expect.stringMatching(/session job-4:\S+: session\.countsAsAttempt: rebuilt true, stored false\n/),
    })
  })
})
