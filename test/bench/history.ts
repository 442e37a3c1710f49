import { sql } from 'kysely'
import { openDatabase, type Rows } from '../../activities/database/database.ts'

/** Work of the past on a catalogue that is there: how many sessions, spread over how many wallets, and claims that wait for their bond. */
export interface History {
  sessions: number
  wallets: number
  openIntents: number
  /** Epoch ms. */
  now: number
}

/** Wallet number `index` of a history. */
export const historyWallet = (index: number): string => `0x${(0xabc000000 + index).toString(16).padStart(40, '0')}`

const wallet = sql.raw(`'0x' || lpad(to_hex(${0xabc000000} + n % wallets), 40, '0')`)

/**
 * Sessions on the oldest jobs of the catalogue, several to a job when there are more sessions than jobs: the newest of a job as a claim,
 * a submission, a rejection, an expiry or a payment left it, the ones before it expired. One in ten was claimed within the last day.
 */
const addSessions = async (rows: Rows, { sessions, wallets, now }: History): Promise<void> => {
  const { open } = await rows
    .selectFrom('job')
    .select(sql<number>`count(*)::integer`.as('open'))
    .where('lifecycleStatus', '=', 'open')
    .executeTakeFirstOrThrow()
  await sql`insert into signing_key values ('badge-1', 'receipt', 'history', 'x', 'y', '2020-01-01', null, null) on conflict do nothing`.execute(
    rows,
  )
  const worked = Math.max(1, Math.floor(open / 2))
  await sql`
    with jobs as (select *, row_number() over (order by listed_at, id) - 1 as place from job where lifecycle_status = 'open' limit ${worked}),
      plan as (select n, n % ${worked}::integer as place from generate_series(0, ${sessions}::integer - 1) n),
      numbered as (select n, j.*, ${wallets}::integer as wallets, n / ${worked}::integer as round,
          case when n + ${worked}::integer < ${sessions} then 'expired'
            else (array['claimed', 'submitted', 'rejected', 'expired', 'resolved', 'resolved'])[1 + n % 6] end as state,
          ${new Date(now)}::timestamptz - (${sessions}::integer - 1 - n) / ${worked}::integer * interval '45 days' - case when n % 10 = 0 then (n % 1400) * interval '1 minute' else (2 + n % 40) * interval '1 day' end as claimed
        from plan join jobs j using (place)),
      ended as (
    insert into session (session_id, job_id, wallet, attempt, chain_job_id, run_id, idempotency_key, protocol_history, version, status, chain_state,
      claimed_at, claim_expires_at, updated_at, submitted_at, resolved_at, rejected_at, rejection_finalized_at, expired_at,
      reward_asset, reward_raw, claim_stake_raw, claim_stake_bps, claim_fee_raw, claim_fee_bps, claim_number, waived, brokered, exposure_raw,
      counts_as_attempt, evidence, job_snapshot, submission, payout_tx, work_receipt_id)
    select 'session-' || n, id, ${wallet}, 1 + round, chain_job_id, 'run-' || n, 'key-' || n, '["http"]', 1, state, state,
      claimed, claimed + interval '60 days', claimed + interval '1 minute',
      case when state in ('submitted', 'rejected', 'resolved') then claimed + interval '1 minute' end,
      case when state = 'resolved' then claimed + interval '2 minutes' end,
      case when state = 'rejected' then claimed + interval '2 minutes' end,
      case when state = 'rejected' then claimed + interval '3 minutes' end,
      case when state = 'expired' then claimed + interval '1 hour' end,
      reward_asset, reward_raw, 200000, 1000, 50000, 200, 1, false, true, reward_raw + 59000, true,
      jsonb_build_object('external', false, 'verifierMode', verifier_mode, 'claimTtlSeconds', 3600, 'assetDecimals', 6, 'admission', '{}'::jsonb,
        'claimFeeRetainedOnSuccess', false, 'gasRetentionSupported', true, 'gasRetainedRaw', '50000', 'badgeSnapshot', jsonb_build_object('category', 'docs', 'tier', 'starter', 'rewardAsset', 'USDC', 'rewardAmount', '1', 'rewardAmountRaw', '1000000', 'verifierMode', 'benchmark')),
      jsonb_build_object('specDefinition', definition, 'definition', definition),
      case when state in ('submitted', 'rejected', 'resolved') then '{"output":"notes"}'::jsonb end,
      case when state = 'resolved' then '{}'::jsonb end,
      case when state in ('rejected', 'resolved') then '0x' || encode(sha256(('session-' || n)::bytea), 'hex') end
    from numbered returning session_id, work_receipt_id, job_id, wallet, updated_at)
    insert into work_receipt (receipt_id, session_id, job_id, worker, outcome, kid, verified_at, document)
    select work_receipt_id, session_id, job_id, wallet, 'approved', 'badge-1', updated_at, '{}' from ended
      where work_receipt_id is not null`.execute(rows)
}

const addTraces = async (rows: Rows, now: number): Promise<void> => {
  await sql`insert into reputation_event (wallet, session_id, kind, nominal_skill, nominal_reliability, nominal_economic, applied_skill,
      applied_reliability, applied_economic, reason, scoring_version, at)
    select wallet, session_id, 'approved', 1, 1, 1, 1, 1, 1, 'approved', 1, resolved_at from session where status = 'resolved'`.execute(
    rows,
  )
  await sql`insert into subsidy_reservation (session_id, run_id, wallet, day, amount_raw, created_at)
    select session_id, run_id, wallet, to_char(claimed_at at time zone 'UTC', 'YYYY-MM-DD'), 59000, claimed_at from session`.execute(rows)
  await sql`insert into event (topic, source, phase, severity, correlation_id, wallets, job_id, session_id, at, data)
    select topic, 'state', 'session', 'info', session_id, jsonb_build_array(wallet), job_id, session_id, ${new Date(now)}, '{}'
    from session, unnest(array['session.claimed', 'session.submitted']) topic`.execute(rows)
  await sql`insert into session_event (session_id, seq, from_status, to_status, reason, at, metadata, hash)
    select session_id, 1, null, 'claimed', 'job_claimed', claimed_at, '{}', session_id from session`.execute(rows)
  await sql`insert into claim_intent (run_id, job_id, wallet, session_id, attempt, status, stage, terms, exposure_raw, subsidy_raw,
      bond_raw, unwaived_bond_raw, claim_count, idempotency_key, created_at)
    select run_id, job_id, wallet, session_id, attempt, 'recorded', 'recording', '{}', exposure_raw, 0,
      0, 0, 0, idempotency_key, claimed_at
    from session`.execute(rows)
}

/** Claims admitted and not recorded yet, on the newest jobs. */
const addOpenIntents = async (rows: Rows, { openIntents, wallets, now }: History): Promise<void> => {
  await sql`
    insert into claim_intent (run_id, job_id, wallet, session_id, attempt, status, stage, terms, exposure_raw, subsidy_raw, bond_raw, unwaived_bond_raw,
      claim_count, idempotency_key, created_at)
    select 'open-' || n, id, ${wallet}, 'open-session-' || n, 1, 'open', 'locking_bond', '{}', reward_raw, 0, 0, 0, 0, 'open-key-' || n, ${new Date(now)}
    from (select j.id, j.reward_raw, ${wallets}::integer as wallets, row_number() over (order by listed_at desc, id) as n from job j
      where lifecycle_status = 'open' and not exists (select 1 from session s where s.job_id = j.id)) newest
    where n <= ${openIntents}`.execute(rows)
}

/** Adds a history to a generated catalogue in bulk, and lets the planner see it. */
export const addHistory = async (databaseUrl: string, history: History): Promise<void> => {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, statementTimeoutMs: 120_000 })
  try {
    await addSessions(database.rows, history)
    await addTraces(database.rows, history.now)
    await addOpenIntents(database.rows, history)
    await sql`vacuum analyze job, session, claim_intent, subsidy_reservation, reputation_event`.execute(database.rows)
  } finally {
    await database.close()
  }
}
