// Many sessions with their events, as a service would have after a long time: most have ended, some wait.
import { sql } from 'kysely'
import type { Database } from '../../../activities/database/database.ts'

/** Names and times of the rows. */
export const seededRows = {
  now: Date.UTC(2026, 5, 15, 12),
  walletOf: (number: number): string => `0x${number.toString(16).padStart(40, '0')}`,
  sessionOf: (number: number): string => `job-${number}:1`,
}

const WALLETS = 997
/** Sessions of one statement, which has a time limit. */
const CHUNK = 10_000

/**
 * Inserts that many sessions, one a job and one of fifty in an open state, with events of their payments and their sign-ins. Every
 * session is a minute older than the one before.
 */
export const seedOperatorRecords = async ({ rows }: Database, count: number, chainId = 31_337): Promise<void> => {
  const now = new Date(seededRows.now)
  const run = (statement: ReturnType<typeof sql>) => statement.execute(rows)
  await run(sql`
    insert into job (id, definition, spec_hash, chain_job_id, category, tier, verifier_mode, source_group, lane, reward_asset, reward_raw,
      waiver_eligible, verdict_needs, lifecycle_status, listed_at, created_at, updated_at, posting_route, version)
    select 'job-' || n, '{}', '0x1', '0x' || lpad(to_hex(n), 64, '0'), 'docs', 'starter', 'deterministic', 'docs', 'starter', 'USDC', 2000000,
      false, '{}', 'open', ${now}, ${now}, ${now}, 'curated', 1
    from generate_series(1, ${count}::integer) n`)
  // Their receipts count for nothing here.
  await run(sql`alter table session drop constraint settled_has_receipt`)
  for (let first = 1; first <= count; first += CHUNK)
    await run(sql`
      insert into session (session_id, job_id, wallet, attempt, chain_job_id, run_id, idempotency_key, protocol_history, version, status,
        chain_state, claimed_at, claim_expires_at, updated_at, submitted_at, review_ends_at, rejected_at, rejection_finalized_at, reward_asset,
        reward_raw, claim_stake_raw, claim_stake_bps, claim_fee_raw, claim_fee_bps, claim_number, waived, brokered, exposure_raw,
        counts_as_attempt, claim_tx_hash, claim_block, evidence, job_snapshot, payout_tx)
      select 'job-' || n || ':1', 'job-' || n, '0x' || lpad(to_hex(n % ${sql.lit(WALLETS)}), 40, '0'), 1, '0x' || lpad(to_hex(n), 64, '0'), 'run ' || n, 'key',
        '["http"]', 1, status, 'claimed', at, at + interval '1 hour', at,
        case when status in ('submitted', 'disputed', 'rejected', 'resolved') then at end,
        case when status = 'submitted' then at + interval '48 hours' end,
        case when status = 'rejected' then at end, case when status = 'rejected' and n % 50 <> 4 then at end,
        'USDC', 2000000, 200000, 1000, 50000, 200, 1, false, true, 2059000, true, '0xc' || lpad(to_hex(n), 63, '0'), n,
        json_build_object('verifierMode', case when n % 100 = 2 then 'codehost_pr' else 'deterministic' end, 'assetDecimals', 6,
          'gasRetainedRaw', '50000', 'admission', json_build_object('padding', repeat('x', 600))),
        json_build_object('specDefinition', json_build_object('title', 'Job ' || n), 'padding', repeat(md5(n::text), 60)),
        case when status = 'resolved' then '{}'::jsonb end
      from (
        select n, ${now}::timestamptz - n * interval '1 minute' as at,
          case n % 50 when 1 then 'claimed' when 2 then 'submitted' when 3 then 'disputed' when 4 then 'rejected' when 5 then 'expired' when 6 then 'expired'
            when 7 then 'rejected' when 8 then 'closed' when 9 then 'timed_out' else 'resolved' end as status
        from generate_series(${first}::integer, ${Math.min(first + CHUNK - 1, count)}::integer) n
      ) numbered`)
  await run(sql`
    insert into dispute (dispute_id, session_id, job_id, chain_job_id, claimant, stage, origin, round, status, reason_code, opened_at, deadline_at,
      is_proof_gated, remaining_raw, evidence, evidence_hash, updated_at)
    select 'dispute-' || session_id, session_id, job_id, chain_job_id, wallet, case when claim_block % 100 = 3 then 'review' else 'arbitration' end,
      'review', 1, 'open', 'REASON', updated_at, updated_at + interval '14 days', false, reward_raw, '{}', '0x', updated_at
    from session where status = 'disputed'`)
  for (let first = 1; first <= count; first += CHUNK)
    await run(sql`
      insert into chain_event (chain_id, tx_hash, log_index, block_number, block_hash, block_time, address, contract, event, args, chain_job_id,
        moves_process, seen_at, revision, notified_revision)
      select ${sql.lit(chainId)}, '0xe' || lpad(to_hex(claim_block), 63, '0'), place, 1000000 - claim_block, '0xb', updated_at, '0xa',
        case place when 2 then 'accounts' else 'escrow' end, event,
        json_build_object('worker', wallet, 'workerAmount', '1950000', 'protocolFeeAmount', '40000', 'retainedRaw', '50000', 'amount', '250000', 'account', wallet),
        chain_job_id, true, updated_at, 1, 1
      from session cross join (values (0, 'SettlementSplit'), (1, 'GasRetentionApplied'), (2, 'JobStakeReleased'), (3, 'JobClosed')) logs (place, event)
      where status = 'resolved' and claim_block between ${first}::integer and ${first + CHUNK - 1}::integer`)
  await run(sql`
    insert into auth_session (id, subject, signed_in_at, last_jti, issued_at, expires_at, version)
    select 'sign-in-' || n, '0x' || lpad(to_hex(n % ${sql.lit(WALLETS * 2)}), 40, '0'), ${now}::timestamptz - n * interval '10 minutes', 'jti-' || n,
      ${now}::timestamptz - n * interval '10 minutes', ${now}, 1
    from generate_series(1, ${Math.ceil(count / 10)}::integer) n`)
  for (const table of ['session', 'dispute', 'chain_event', 'auth_session', 'agent_statistics', 'payment_day', 'job'])
    await run(sql`vacuum analyze ${sql.table(table)}`)
}
