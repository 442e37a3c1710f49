import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { listFailing, storeReport } from '../../../activities/audit/records.ts'
import { runAudit } from '../../../activities/audit/run.ts'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import { createScanClient } from '../../../activities/chain/clients.ts'
import { loadSigningKey } from '../../../activities/common/document-signing.ts'
import { insertQuote } from '../../../activities/consents/records.ts'
import type { Database } from '../../../activities/database/database.ts'
import { createIdleReads } from '../../../activities/idle-allocation/reads.ts'
import { createIdleSteps } from '../../../activities/idle-allocation/steps.ts'
import { fireTemplate } from '../../../activities/lanes/runs.ts'
import { insertTemplate } from '../../../activities/lanes/templates.ts'
import { createLockReads } from '../../../activities/locked-deposits/reads.ts'
import { createLockSteps } from '../../../activities/locked-deposits/steps.ts'
import { createVestingSteps } from '../../../activities/pool/vesting-steps.ts'
import { createSessionLogSteps } from '../../../activities/session-log/close-day.ts'
import { outcomeOf } from '../../../domain/audit/report.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { idleTerms } from '../../../domain/idle-allocation/terms.ts'
import { entryHash, logEntry } from '../../../domain/sessions/log-entry.ts'
import { localKeys } from '../../../local/keys.ts'
import { AUDIT_CHECK_NAMES, type AuditCheckName } from '../../../schemas/audit/checks.ts'
import type { AuditReport } from '../../../schemas/audit/record.ts'
import type { ConsentKind } from '../../../schemas/consents/record.ts'
import { readAuditCommand } from '../../../workers/audit.ts'
import { who } from '../../contracts/support/world.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { makePem } from '../../support/api.ts'
import { type FollowerWorld, startFollowerWorld } from '../support/follower-world.ts'
import { checkWithFault, runProgram } from '../support/planted-faults.ts'
import { walletAt } from '../support/service.ts'

const HOUR = 3_600_000
const SAVER = walletAt(900)

let world: FollowerWorld

/** A deposit in each pool, and a pledge for a loan that never begins. */
const save = async (): Promise<void> => {
  const chain = world.world
  for (const pool of ['pool', 'credit'] as const) {
    await chain.run(who.owner, 'token', 'mint', SAVER, 5_000_000n)
    await chain.run(SAVER, 'token', 'approve', chain.at[pool], 5_000_000n)
    await chain.run(SAVER, pool, 'deposit', 5_000_000n, SAVER)
  }
  await chain.run(SAVER, 'pool', 'pledge', 2_000_000n, await chain.read('credit', 'previewLoanId', SAVER))
}

const SAVER_KEY = privateKeyToAccount(`0x${'5a'.repeat(32)}`)
const LENDER = SAVER_KEY.address.toLowerCase() as Hex
const NEVER = `0x${'cc'.repeat(32)}`

/** A locked deposit, and an idle balance that the operator lent to the pool. */
const lockAndLend = async (): Promise<void> => {
  const { database, chain, clients, reads, transactions, clock, world: contracts } = world
  await contracts.run(who.owner, 'token', 'mint', LENDER, 20_000_000n)
  await contracts.run(LENDER, 'token', 'approve', contracts.at.accounts, 20_000_000n)
  await contracts.run(LENDER, 'accounts', 'deposit', chain.asset.address, 20_000_000n)
  await world.follow()
  const now = clock.now()
  const quoted = async (kind: ConsentKind, terms: Record<string, unknown>) => {
    const termsHash = keccakOf(terms)
    const message = `Terms hash: ${termsHash}`
    await insertQuote(database.rows, { termsHash, kind, wallet: LENDER, terms, message, expiresAt: now + HOUR })
    return { termsHash, signature: await SAVER_KEY.signMessage({ message }), requestId: 'audit' }
  }
  const settings = { ...world.settings, LOCKED_TIERS_ENABLED: true }
  const locks = createLockSteps({ settings, chain, database, clock, reads: createLockReads(chain, clients, reads) })
  const { termsHash: id, ...consent } = await quoted('locked_tier_consent_v1', {
    tier: 't30',
    amountRaw: '5000000',
    publicProfileOptIn: false,
  })
  await locks.openLock({ id, ...consent })
  const idle = createIdleSteps({
    settings: { IDLE_BALANCE_ALLOCATION_ROUTE_LIVE: true },
    chain,
    database,
    clock,
    transactions,
    reads: createIdleReads(chain, clients, reads),
  })
  const asset = { ...chain.asset, chainId: chain.chainId }
  const depositPool = chain.contracts.depositPool?.address ?? NEVER
  const terms = idleTerms({ wallet: LENDER, consentNonce: 'abcdefgh' }, { asset, depositPool, venue: 'unbound', now })
  await idle.recordIdleConsent({ wallet: LENDER, ...(await quoted('idle_balance_allocation_consent_v1', terms)) })
  await idle.moveIdleBalance({ wallet: LENDER })
  await world.follow()
}

/** A recurring template with one run. */
const listTemplate = async (): Promise<void> => {
  const { database, clock, settings } = world
  const schedule = { cron: '0 6 * * 1' }
  const built = builtJob(jobBody({ id: 'weekly', recurring: true, schedule, maxRuns: 1, reserveAmount: 3, lane: 'benchmark-showcase' }))
  await database.transaction(async (rows) => {
    await insertJob(rows, built, { now: clock.now(), posterAddress: null })
    await insertTemplate(rows, 'weekly', clock.now())
    await fireTemplate(rows, { templateId: 'weekly', firedAt: null, by: SAVER.toLowerCase() }, { settings, clock })
  })
}

beforeAll(async () => {
  // The search for a nonce reads old states, and a node that many files share keeps the newest ones only.
  world = await startFollowerWorld('audit')
  await world.life.paid()
  await world.life.rejected()
  await world.life.claimed()
  await save()
  await world.follow()
  await lockAndLend()
  await listTemplate()
  const { database, chain, clock } = world
  for (const days of [0, 1]) {
    const at = { now: () => clock.now() + days * 24 * HOUR }
    const midnight = Math.floor(at.now() / (24 * HOUR)) * 24 * HOUR
    const { day, nextAt } = await createSessionLogSteps({ database, chain, clock: at, sign: world.sign }).closeLogDay()
    // The next day is closed at the very midnight that ends it.
    const [before, after] = [midnight - 24 * HOUR, midnight + 24 * HOUR].map((instant) => new Date(instant).toISOString())
    expect([day, nextAt]).toEqual([before?.slice(0, 10), after])
  }
  // Late enough that the records reach the deposit.
  const later = { now: () => clock.now() + 5 * 60_000 }
  await createVestingSteps({ database, chain, clock: later, checkpointEvents: 1 }).advanceVesting({ wallet: SAVER.toLowerCase() })
})
afterAll(() => world.stop())

/** An audit an hour later, when records and chain have settled. */
const audit = (database: Database = world.database, chain = world.chain): Promise<AuditReport> =>
  runAudit({ database, chain, client: createScanClient(chain), readKey: world.readKey, now: () => world.clock.now() + HOUR })

/** Names of the checks with findings. */
const failedIn = ({ results }: AuditReport): AuditCheckName[] =>
  results.flatMap(({ check, outcome }) => (outcome === 'failed' ? [check] : []))

/** An audit of records that a fault has changed. */
const auditWith = (statements: string) => checkWithFault(world.database, statements, audit)

test('the audit of a stack after its flows passes every check', async () => {
  const report = await audit()
  expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(report.results.map(({ check }) => check)).toEqual(AUDIT_CHECK_NAMES)
})

const OTHER_KEY = (await loadSigningKey(makePem(), 'other')).jwk

/** Checks of caps. */
const CAPS = AUDIT_CHECK_NAMES.slice(AUDIT_CHECK_NAMES.indexOf('open_exposure'))

/** Admits the claim that is still open again and again, as claims at once would be that do not see each other, until they exceed an amount. */
const claimAgain = (amountRaw: string): string => `
  insert into claim_intent select 'again-' || n, i.job_id, i.wallet, i.session_id, i.attempt, i.status, i.stage, i.terms, i.exposure_raw, 0,
    i.bond_raw, i.unwaived_bond_raw, i.grant_id, i.claim_count, i.idempotency_key, null, null, i.created_at + n * interval '1 millisecond', i.closed_at
  from claim_intent i join session s on s.run_id = i.run_id and s.status = 'claimed', generate_series(1, (${amountRaw} / i.exposure_raw)::integer) n`
/** Pins another limit in every admission. */
const pinLimit = (gate: string, limitRaw: string, reason: string): string => `
  update claim_intent set terms = jsonb_set(terms, '{admission,${gate}}',
    jsonb_build_object('reason', '${reason}', 'limitRaw', (${limitRaw})::text))`

/** Tracks a delivery of some sessions. */
const TRACKED = `insert into tracked_delivery select session_id, job_id, wallet, 'pull_request', 'https://codehost.example/a/b/pull/1', 'open', now(), now(),
  now() + interval '30 days', null, null, now(), now(), null, 0, 0, null, null, null, '[{}]' from session`

/** Gives every claim to a delegate with these terms. */
const grantedToOne = (terms: string): string => `
  insert into capability_grant (id, kind, subject, capabilities, issued_by, issued_at, expires_at, terms, client, message, signature, version)
  values ('grant-1', 'delegate', 'wallet', '[]', 'wallet', now(), now() + interval '1 day', '{${terms}}', '{}', '', '', 1);
  update claim_intent set grant_id = 'grant-1'`

/** Statements that plant a fault, below the checks that find it. */
const FAULTS: Record<string, Record<string, string>> = {
  'chain_events sessions reputation badges receipts': {
    'a deleted event of a settlement': `delete from chain_event where event = 'JobClosed'`,
  },
  chain_events: {
    'an altered amount of an event': `update chain_event set args = jsonb_set(args, '{amount}', '"7"')
      where contract = 'accounts' and event = 'Deposited'`,
  },
  'account_positions chain_events': {
    'deleted events of a position': `delete from chain_event where contract = 'accounts' and event = 'Deposited'
      or contract = 'accounts' and event like 'JobStake%' or contract = 'accounts' and event like 'Reserv%'`,
  },
  locked_deposits: {
    'a lock of a larger amount than was signed': 'update locked_deposit set amount_raw = amount_raw + 1',
    'a lock that ends before its term': `update locked_deposit set expires_at = expires_at - interval '1 day'`,
    'a lock that was released before its term': `update locked_deposit set status = 'released', released_at = expires_at,
      release_reason = 'term_completed'`,
    'a lock whose term was moved to an earlier time': `update locked_deposit set locked_at = locked_at - interval '3 days',
      expires_at = expires_at - interval '3 days'`,
    'a deleted lock': 'delete from locked_deposit',
    'a second lock of the same principal': `insert into consent select '${NEVER}', kind, wallet, terms, message, signature, stored_at
      from consent where kind = 'locked_tier_consent_v1';
      insert into locked_deposit select '${NEVER}', wallet, tier, 18000000, wallet_cap_raw, cohort_cap_raw, locked_at, term_days, expires_at,
        status, public_profile_opt_in, null, null, null, null, null, request_id from locked_deposit`,
  },
  'locked_deposits lock_caps': {
    'a lock above what a wallet may lock': `insert into consent select '${NEVER}', kind, wallet, terms, message, signature, stored_at
      from consent where kind = 'locked_tier_consent_v1';
      insert into locked_deposit select '${NEVER}', wallet, tier, 21000000, wallet_cap_raw, cohort_cap_raw, locked_at, term_days, expires_at,
        status, public_profile_opt_in, null, null, null, null, null, request_id from locked_deposit`,
    'more locks than a wallet may have': `insert into consent select 'again-' || n, kind, wallet, terms, message, signature, stored_at
      from consent, generate_series(1, 20) n where kind = 'locked_tier_consent_v1';
      insert into locked_deposit select 'again-' || n, wallet, tier, 1, wallet_cap_raw, cohort_cap_raw, locked_at, term_days, expires_at,
        status, public_profile_opt_in, null, null, null, null, null, request_id from locked_deposit, generate_series(1, 20) n`,
  },
  lock_caps: {
    'a lock above what all wallets may lock': 'update locked_deposit set cohort_cap_raw = amount_raw - 1',
  },
  live_delegates: {
    'more delegates than a wallet may have': `insert into capability_grant
      select 'grant-' || n, 'delegate', '0x01', '[]', null, null, '0x01', now(), now() + interval '1 day', null, null, '{}', '{}', 'text', '0x',
        null, null, null, null, 1 from generate_series(1, 51) n`,
  },
  open_drafts: {
    'more open drafts than a wallet may have': `insert into posting (job_id, draft_id, poster, definition, spec_hash, expected_outputs, reward_raw,
      ops_reserve_raw, contingency_reserve_raw, poster_fee_bps, poster_fee_floor_raw, poster_fee_raw, quote_block, is_designated, status,
      attempt_count, created_at, quoted_at, expires_at, opened_at, open_draft_limit, version)
      select '0x' || lpad(n::text, 64, '0'), '0x' || lpad(n::text, 64, '0'), '0x' || repeat('7', 40), '{}', '0x' || repeat('7', 64), '[]', 1,
        0, 0, 500, 0, 0, 1, false, 'quoted', 1, now(), now() + interval '2 years', now() + interval '3 days', now(), 3, 1
        from generate_series(1, 4) n`,
  },
  'idle_movements idle_runs': {
    'a movement above what a run may move': `insert into idle_movement select 'again', wallet, terms_hash, kind, 25000000, signed_at, tx_hash, mined_at
      from idle_movement`,
    'movements of many wallets above what a run may move': `insert into idle_movement select 'again-' || n, 'wallet-' || n, terms_hash, kind, 20000000,
      signed_at, tx_hash, mined_at from idle_movement, generate_series(1, 5) n`,
  },
  open_exposure: {
    'claims above the cap on open work': claimAgain('2500000'),
  },
  'open_exposure catalogue_credit': {
    'claims above the catalogue credit': claimAgain('10000000'),
  },
  'open_exposure daily_exposure': {
    'claims above the budget of a graduated wallet': `${claimAgain('i.exposure_raw')};
      ${pinLimit('dailyExposure', 'exposure_raw', 'daily_exposure_within_budget')}`,
  },
  catalogue_budget: {
    'claims above the budget of all wallets': pinLimit(
      'catalogueDailyBudget',
      'select sum(exposure_raw) - 1 from claim_intent',
      'catalogue_daily_budget_within_budget',
    ),
  },
  onboarding_subsidy: {
    'waived claims above the subsidy of the day': `update claim_intent set terms = jsonb_set(terms, '{admission,onboardingSubsidy}',
      '{"applies": true, "dailyBudget": {"raw": "15"}}');
      insert into subsidy_reservation select session_id, run_id, wallet, '2031-01-01', 8, created_at from claim_intent
      on conflict (session_id) do update set day = excluded.day, amount_raw = 8`,
  },
  delegate_budgets: {
    'more claims than a delegate may make': grantedToOne('"jobsPerDay": 0, "bondPerDayRaw": "1000000000"'),
    'bonds above what a delegate may lock': grantedToOne('"jobsPerDay": 1000, "bondPerDayRaw": "1"'),
  },
  waivers: {
    'a waived claim above the number of its wallet': `update claim_intent set terms = terms || '{"waived": true, "waiverClaimsPerWallet": 3}';
      update session set waived = true, claim_number = 4 where status = 'claimed'`,
  },
  fee_raises: {
    'fees that were raised above the limit of a day': `insert into chain_signature
      select 'raised', intent_key, 9, raw_transaction, now(), 8, 7 from chain_transaction limit 1`,
  },
  lane_budgets: {
    'jobs above the budget of their lane': 'update job set lane_daily_raw = reward_raw',
    'more jobs than may wait in their lane': 'update job set lane_backlog = 0',
  },
  recurring_templates: {
    'a template that counts another number of runs': 'update recurring_template set runs = runs + 1',
    'a template that counts other costs': 'update recurring_template set spent_raw = spent_raw + 1',
    'a deleted run': 'delete from recurring_run',
    'a run of another time than its job': `update recurring_run set nominal_at = nominal_at - interval '1 minute'`,
    'more runs and costs than a template may have': `insert into recurring_run select id, 'weekly', created_at - interval '1 hour', created_at, null,
      reward_raw from job where lane <> 'template' and id not in (select job_id from recurring_run) limit 1;
      update recurring_template set (runs, spent_raw) = (select count(*), sum(reward_raw) from recurring_run)`,
  },
  gas_grants: {
    'gas grants above the number of the day': `insert into gas_grant (wallet, day, daily_cap, status, intent_hash, amount_raw, liquid_raw, balance_before_raw,
      request_id, reserved_at) select 'wallet-' || n, '2031-01-01', 25, 'sending', '0x', 1, 1, 0, 'r', now() from generate_series(1, 26) n`,
  },
  idle_movements: {
    'a consent that ends later than was signed': `update idle_consent set expires_at = expires_at + interval '900 days'`,
    'a deleted movement': 'delete from idle_movement',
    'a movement whose transaction is not in the journal': `update idle_movement set tx_hash = '0x' || repeat('d', 64)`,
    'a movement of another amount than on chain': 'update idle_movement set amount_raw = amount_raw + 1',
    'a movement after the revocation': `update idle_consent set revoked_at = consented_at - interval '1 second'`,
  },
  webhooks: {
    'a webhook endpoint ahead of every event': `insert into webhook_endpoint values
      ('wh_ahead', '0x1', 'https://agent.example/', '[]', null, 'key', 'active', null, now(), 999999999, 0, null, null, true, null, 0, 1)`,
    'a webhook endpoint behind its deliveries': `insert into webhook_endpoint values
      ('wh_behind', '0x1', 'https://agent.example/', '[]', null, 'key', 'active', null, now(), 0, 0, null, null, true, null, 2, 1);
      insert into webhook_delivery values ('wh_behind', 1, '1', 'session.claimed', now(), 1, 'delivered', 200, null, null, 0),
      ('wh_behind', 2, 'test-1', 'webhook.test', now(), 1, 'delivered', 200, null, null, 0)`,
  },
  deliveries: {
    'a delivery of a session that was not paid': `${TRACKED} where status <> 'resolved' limit 1`,
    'a delivery without its pull request': `${TRACKED} where status = 'resolved' limit 1`,
    'a pull request with another state than its delivery': `${TRACKED} where status = 'resolved' limit 1;
      insert into pull_request (session_id, job_id, wallet, host, repo, number, url, delivery, submitted_at)
      select session_id, job_id, wallet, 'codehost.example', 'a/b', 1, address, 'merged', now() from tracked_delivery`,
  },
  'deposit_pool chain_events': {
    'deleted shares of the deposit pool': `delete from chain_event where contract = 'pool' and event = 'Transfer'`,
  },
  'credit_pool chain_events': {
    'deleted shares of the credit pool': `delete from chain_event where contract = 'credit' and event = 'Transfer'`,
  },
  'loans pledges chain_events': {
    'a recorded loan that the chain does not have': `update chain_event set event = 'LoanOriginated', contract = 'credit', address = (select address from chain_event
      where contract = 'credit' limit 1)
      where contract = 'pool' and event = 'SharesPledged'`,
  },
  'pledges chain_events': {
    'a deleted pledge': `delete from chain_event where event = 'SharesPledged'`,
  },
  journal: {
    'an altered hash in the journal': `update chain_transaction set tx_hash = '0x' || repeat('e', 64)
      where intent_key = (select min(intent_key) from chain_transaction where status = 'mined')`,
    'an altered outcome in the journal': `update chain_transaction set status = 'reverted'
      where intent_key = (select min(intent_key) from chain_transaction where status = 'mined')`,
  },
  signer_nonces: {
    'a deleted row of the journal': `with gone as (select intent_key from chain_transaction where status = 'mined' order by nonce desc limit 1),
      signatures as (delete from chain_signature where intent_key in (select intent_key from gone))
      delete from chain_transaction where intent_key in (select intent_key from gone)`,
  },
  sessions: {
    'an altered status of a session': `update session set status = 'rejected', rejection_finalized_at = now() where status = 'resolved'`,
  },
  session_log: {
    'an altered history of a session': `update session_event set reason = 'ALTERED' where seq = 2`,
    'a first entry that was rewritten, with its hash': `update session_event set reason = 'REWRITTEN', hash = '0x' || repeat('a', 64)
      where seq = 1 and session_id not in (select session_id from session_event where seq = 2)`,
    'two entries in the other order': `update session_event set seq = seq + 10;
      update session_event set seq = case seq when 11 then 2 when 12 then 1 else seq - 10 end`,
    'an altered head of the log': `update log_head set document = jsonb_set(document, '{entryCount}', '999')`,
    'an altered list of the log': `update log_entry set hash = '0x' || repeat('b', 64) where position = 1`,
    'a deleted head of the log': `delete from log_entry; delete from log_head where day = (select min(day) from log_head)`,
  },
  'sessions session_log': {
    'a history that ends before its published end': `delete from session_event where to_status = 'resolved'`,
  },
  reputation: {
    'an altered score': `update reputation_event set applied_skill = applied_skill + 1`,
    'a deleted entry of the ledger': `delete from reputation_event`,
  },
  agent_statistics: {
    'an altered row of statistics': `update agent_statistics set approved = approved + 1`,
  },
  badges: {
    'an altered badge record': `update badge set worker = '0x' || repeat('1', 40)`,
    'an altered badge document': `update badge set document = jsonb_set(document, '{description}', '"Better work"')`,
    'a deleted badge': `delete from badge`,
  },
  receipts: {
    'an altered receipt': `update work_receipt set document = replace(document, '"outcome":"approved"', '"outcome":"rejected"')`,
    'a receipt with other bytes': `update work_receipt set document = document || ' '`,
    'an altered receipt record': `update work_receipt set worker = '0x' || repeat('1', 40)`,
    'another current key': `update signing_key set fingerprint = 'another'`,
  },
  'receipts badges session_log': {
    'a receipt that was signed after its key was retired': `update signing_key set valid_from = valid_from - interval '2 s',
      retired_at = valid_from - interval '1 s'`,
    'another public key': `update signing_key set (x, y) = ('${OTHER_KEY.x}', '${OTHER_KEY.y}')`,
  },
  vesting: {
    'a false checkpoint': `update vesting_checkpoint set state = jsonb_set(state, '{maturedRaw}', '"9000000"')`,
    'a vested deposit that was never made': `insert into vested_tranche (chain_id, tx_hash, log_index, wallet, vested_at)
      select chain_id, '0x' || repeat('f', 64), 0, wallet, now() from vesting_checkpoint`,
  },
}

describe('a planted fault', () => {
  const rows = Object.entries(FAULTS).flatMap(([names, faults]) =>
    Object.entries(faults).map(([fault, statements]) => [fault, names, statements] as const),
  )

  test.each(rows)('%s is found by %s', async (_fault, names, statements) => {
    const report = await auditWith(statements)
    expect(new Set<string>(failedIn(report))).toEqual(new Set(names.split(' ')))
    expect(outcomeOf(report)).toBe('failed')
  })
})

test.each([
  ['older than the newest head is found', -1, ['entry_replaced']],
  ['that the next head has yet to list is no fault', 25, []],
])('an entry in no head %s', async (_what, hours, faults) => {
  const last = await world.database.rows
    .selectFrom('session_event')
    .selectAll()
    .where('toStatus', '=', 'claimed')
    .where('hash', 'not in', (all) => all.selectFrom('session_event').select('previousHash').where('previousHash', 'is not', null))
    .executeTakeFirstOrThrow()
  const { sessionId, hash: previousHash } = last
  const at = world.clock.now() + hours * HOUR
  const added = {
    sessionId,
    seq: last.seq + 1,
    fromStatus: 'claimed',
    toStatus: 'submitted',
    reason: 'x',
    at,
    recordedAt: at,
    metadata: {},
  } as const
  const { hash: _none, ...content } = logEntry({ ...added, previousHash, hash: '' })
  const report = await auditWith(`insert into session_event
    (session_id, seq, from_status, to_status, reason, at, recorded_at, metadata, previous_hash, hash) values
    ('${sessionId}', ${added.seq}, 'claimed', 'submitted', 'x', '${content.at}', '${content.at}', '{}', '${previousHash}', '${entryHash(content)}')`)
  const { examples } = report.results.find(({ check }) => check === 'session_log') ?? { examples: [] }
  const findings = examples.filter(({ subject }) => subject === `entry ${added.seq} of ${sessionId}`)
  expect(findings.map(({ found }) => found)).toEqual(faults)
})

describe('what cannot be read', () => {
  const outcomes = ({ results }: AuditReport) => new Map(results.map(({ check, outcome }) => [check, outcome]))

  test('is no pass while the records lack events', async () => {
    const report = await auditWith('update chain_cursor set gap_block = block_number')
    const passed = [
      'journal',
      'signer_nonces',
      'chain_events',
      'session_log',
      'locked_deposits',
      'dispute_files',
      'run_receipts',
      'captured_runs',
      'agent_statistics',
      'webhooks',
      'deliveries',
      'run_receipts',
      ...CAPS.filter((name) => name !== 'agreements'),
    ]
    expect(outcomes(report)).toEqual(
      new Map(AUDIT_CHECK_NAMES.map((name) => [name, passed.some((one) => one === name) ? 'passed' : 'unread'])),
    )
    expect(outcomeOf(report)).toBe('unread')
  })

  test('is no pass while the node does not answer', async () => {
    const chain = { ...world.chain, rpc: { ...world.chain.rpc, primary: 'http://127.0.0.1:9' } }
    expect(new Set(outcomes(await audit(world.database, chain)).values())).toEqual(new Set(['unread']))
  })

  test('is no pass before the follower has recorded a block', async () => {
    const report = await auditWith('delete from chain_mark; delete from chain_cursor')
    expect(report.block).toBeNull()
    expect(outcomeOf(report)).toBe('unread')
  })
})

const command = (...args: [string[], Record<string, string>?]) => runProgram(world, 'audit', ...args)

describe('the command', () => {
  test('ends with 0 and a line for each check', () => {
    const { status, text } = command([])
    expect({ status, text }).toEqual({ status: 0, text: expect.stringMatching(/^State of block \d+\.\n/) })
    for (const name of AUDIT_CHECK_NAMES) expect(text).toContain(`${name}: passed`)
  })

  test('ends the warning of a check that passes now, unless it reads fewer blocks, and raises none', async () => {
    const { rows } = world.database
    const result = { outcome: 'failed' as const, findings: 1, examples: [], reason: null, durationMs: 1 }
    const warned = async (): Promise<string[]> => (await listFailing(rows)).map(({ name }) => name)
    await storeReport(rows, { block: '1', results: [{ ...result, check: 'sessions' }] })
    expect([command(['--blocks', '5']).status, await warned()]).toEqual([0, ['sessions']])
    expect([command([]).status, await warned()]).toEqual([0, []])
    const other = command([], { RECEIPT_KEY: makePem() })
    expect([other.status, await warned()]).toEqual([1, []])
  })

  test.each([
    ['an unknown option', ['--fast'], {}],
    ['a bad setting', [], { RECEIPT_KEY: 'no key' }],
    ['a database that does not answer', [], { DATABASE_URL: 'postgresql://127.0.0.1:9/none' }],
  ])('ends with 2 for %s', (_, args, changes) => {
    expect(command(args, changes).status).toBe(2)
  })

  test('reads a number of blocks from 1', () => {
    expect([readAuditCommand(['--blocks', '0']), readAuditCommand(['--blocks', '5'])]).toEqual([null, { json: false, blocks: 5 }])
  })
})

describe('a fault on chain', () => {
  test('tokens outside of the books are found by account_positions', async () => {
    const chain = world.world
    await chain.run(who.owner, 'token', 'mint', chain.at.accounts, 1n)
    await world.follow()
    expect(failedIn(await audit())).toEqual(['account_positions'])
    const { status, stdout } = command(['--json'])
    const report = JSON.parse(stdout)
    expect([status, report.outcome, failedIn(report)]).toEqual([1, 'failed', ['account_positions']])
    expect((await listFailing(world.rows)).length).toBe(0)
    await storeReport(world.rows, await audit())
    expect(await listFailing(world.rows)).toEqual([{ name: 'account_positions', outcome: 'failed', findings: 1 }])
  })

  test('a foreign transaction by a key of the service is found by signer_nonces', async () => {
    const { operator } = localKeys()
    await world.world.rpc('anvil_impersonateAccount', operator.address)
    const hash = (await world.world.rpc('eth_sendTransaction', { from: operator.address, to: operator.address })) as Hex
    await world.world.client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
    await world.follow()
    const report = await audit()
    expect(failedIn(report)).toEqual(['account_positions', 'signer_nonces'])
    const [finding] = report.results.find(({ check }) => check === 'signer_nonces')?.examples ?? []
    expect(finding?.subject.toLowerCase()).toContain(operator.address.toLowerCase())
    expect(finding?.found).toContain(hash)
  })
})
