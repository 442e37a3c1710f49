import { Migration } from '@mikro-orm/migrations'

/** Catalogue, claims and sessions, the transaction journal, the door's tables. */
export class Skeleton extends Migration {
  override up(): void {
    this.addSql(`
      create table job (
        id text primary key,
        definition jsonb not null,
        spec_hash text not null,
        chain_job_id text not null unique,
        category text not null,
        tier text not null,
        verifier_mode text not null,
        source_group text not null,
        lane text not null,
        reward_asset text not null,
        reward_raw numeric(78,0) not null check (reward_raw > 0),
        waiver_eligible boolean not null,
        lifecycle_status text not null check (lifecycle_status in ('open', 'paused', 'archived')),
        stale_at timestamptz(3),
        listed_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        posting_route text not null check (posting_route in ('curated', 'external-direct')),
        poster_address text,
        delisted_at timestamptz(3),
        delist_reason text,
        version integer not null
      );
      create index job_listed on job (listed_at desc, id) where lifecycle_status = 'open';
      create index job_newest on job (listed_at desc, id);
      create index job_category on job (category, listed_at desc, id) where lifecycle_status = 'open';
      create index job_source_group on job (source_group, listed_at desc, id) where lifecycle_status = 'open';
      create index job_tier on job (tier, listed_at desc, id) where lifecycle_status = 'open';
      create index job_verifier_mode on job (verifier_mode, listed_at desc, id) where lifecycle_status = 'open';
      create index job_waiver on job (listed_at desc, id) where lifecycle_status = 'open' and waiver_eligible;
      create index job_lane_created on job (lane, created_at);

      create table catalogue_version (id integer primary key check (id = 1), version bigint not null);
      insert into catalogue_version values (1, 1);

      create table reward_bank_reading (
        asset text primary key,
        liquid_raw numeric(78,0) not null,
        poster_fee_bps integer not null,
        poster_fee_floor_raw numeric(78,0) not null,
        stake_bps integer not null,
        fee_bps integer not null,
        min_fee_raw numeric(78,0) not null,
        block_number bigint not null,
        read_at timestamptz(3) not null
      );

      create table claim_intent (
        run_id text primary key,
        job_id text not null references job (id),
        wallet text not null,
        session_id text not null,
        attempt integer not null,
        status text not null check (status in ('open', 'recorded', 'released')),
        stage text not null,
        terms jsonb not null,
        exposure_raw numeric(78,0) not null,
        subsidy_raw numeric(78,0) not null,
        idempotency_key text not null,
        request_id text,
        failure_code text,
        created_at timestamptz(3) not null,
        closed_at timestamptz(3)
      );
      create unique index claim_intent_one_open_per_job on claim_intent (job_id) where status = 'open';
      create index claim_intent_wallet on claim_intent (wallet) where status = 'open';
      create index claim_intent_key on claim_intent (wallet, idempotency_key, created_at desc);
      create index claim_intent_session on claim_intent (session_id, created_at desc);

      create table session (
        session_id text primary key,
        job_id text not null references job (id),
        wallet text not null,
        attempt integer not null,
        chain_job_id text not null,
        run_id text not null unique,
        idempotency_key text not null,
        protocol_history jsonb not null,
        version integer not null,
        status text not null check (status in ('claimed', 'submitted', 'disputed', 'rejected', 'resolved', 'closed', 'expired', 'timed_out', 'chain_state_diverged')),
        chain_state text not null,
        claimed_at timestamptz(3) not null,
        claim_expires_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        submitted_at timestamptz(3),
        resolved_at timestamptz(3),
        rejected_at timestamptz(3),
        disputed_at timestamptz(3),
        closed_at timestamptz(3),
        expired_at timestamptz(3),
        timed_out_at timestamptz(3),
        chain_state_diverged_at timestamptz(3),
        rejection_finalized_at timestamptz(3),
        reward_asset text not null,
        reward_raw numeric(78,0) not null,
        claim_stake_raw numeric(78,0) not null,
        claim_stake_bps integer not null,
        claim_fee_raw numeric(78,0) not null,
        claim_fee_bps integer not null,
        claim_number integer not null,
        waived boolean not null,
        brokered boolean not null,
        exposure_raw numeric(78,0) not null,
        counts_as_attempt boolean not null,
        poster text,
        claim_tx_hash text,
        claim_block bigint,
        evidence jsonb not null,
        job_snapshot jsonb not null,
        submission jsonb,
        evidence_hash text,
        submit_tx_hash text,
        verification_summary jsonb,
        verification_id text,
        payout_tx jsonb,
        claim_reconciliation jsonb,
        chain_state_divergence jsonb,
        unique (job_id, wallet, attempt),
        constraint resolved_has_payout check (status <> 'resolved' or payout_tx is not null)
      );
      create unique index session_one_live_per_job on session (job_id)
        where status in ('claimed', 'submitted', 'disputed') or (status = 'rejected' and rejection_finalized_at is null);
      create index session_latest_of_job on session (job_id, claimed_at desc, session_id);
      create index session_of_wallet on session (wallet, updated_at desc, session_id);
      create index session_newest on session (updated_at desc, session_id);
      create index session_claimed_at on session (claimed_at);
      create index session_awaiting on session (submitted_at) where status in ('submitted', 'disputed');

      create view job_attempts as
        select job_id, count(*)::integer as attempts from session
        where submitted_at is not null and counts_as_attempt group by job_id;

      create table session_event (
        session_id text not null references session (session_id),
        seq integer not null,
        from_status text,
        to_status text not null,
        reason text not null,
        at timestamptz(3) not null,
        metadata jsonb not null,
        previous_hash text,
        hash text not null,
        primary key (session_id, seq)
      );

      create table verification (
        id text primary key,
        session_id text not null references session (session_id),
        job_id text not null,
        seq integer not null,
        outcome text not null check (outcome in ('approved', 'rejected', 'disputed', 'inconclusive', 'platform_fault')),
        reason_code text not null,
        handler text not null,
        handler_version integer not null,
        score integer not null,
        verdict jsonb not null,
        decided_at timestamptz(3) not null,
        unique (session_id, seq)
      );

      create table badge (
        session_id text primary key references session (session_id),
        job_id text not null,
        worker text not null,
        category text not null,
        level integer not null check (level between 1 and 255),
        evidence_hash text not null,
        chain_job_id text not null,
        issued_at timestamptz(3) not null,
        document jsonb not null
      );
      create index badge_newest on badge (issued_at desc, session_id);
      create index badge_of_worker on badge (worker, issued_at desc, session_id);

      create table reputation_event (
        seq bigserial primary key,
        wallet text not null,
        session_id text not null,
        kind text not null,
        nominal_skill integer not null,
        nominal_reliability integer not null,
        nominal_economic numeric(78,0) not null,
        applied_skill integer not null,
        applied_reliability integer not null,
        applied_economic numeric(78,0) not null,
        reason text not null,
        scoring_version integer not null,
        at timestamptz(3) not null,
        unique (session_id, kind)
      );
      create index reputation_of_wallet on reputation_event (wallet);

      create table subsidy_reservation (
        session_id text primary key,
        run_id text not null,
        wallet text not null,
        day text not null,
        amount_raw numeric(78,0) not null,
        created_at timestamptz(3) not null
      );
      create index subsidy_of_day on subsidy_reservation (day);

      create table event (
        id bigserial primary key,
        seq bigint unique,
        topic text not null,
        source text not null,
        phase text not null,
        severity text not null check (severity in ('info', 'warn', 'error')),
        correlation_id text not null,
        wallets jsonb not null,
        job_id text,
        session_id text,
        block_number bigint,
        tx_hash text,
        at timestamptz(3) not null,
        data jsonb not null
      );
      create index event_unsequenced on event (id) where seq is null;
      create index event_of_session on event (session_id, id);
      create index event_of_job on event (job_id, id);

      create table chain_transaction (
        intent_key text collate "C" primary key,
        chain_id integer not null,
        signer text not null,
        nonce integer not null,
        to_address text not null,
        function_name text not null,
        data text not null,
        gas bigint not null,
        raw_transaction text not null,
        tx_hash text not null unique,
        status text not null check (status in ('signed', 'broadcast', 'mined', 'reverted', 'dead')),
        job_id text,
        session_id text,
        request_id text,
        block_number bigint,
        block_hash text,
        block_time timestamptz(3),
        revert_reason text,
        broadcasts integer not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (chain_id, signer, nonce)
      );
      create index chain_transaction_pending on chain_transaction (chain_id, signer, nonce) where status in ('signed', 'broadcast');
      create index chain_transaction_session on chain_transaction (session_id);

      create table chain_nonce (
        chain_id integer not null,
        signer text not null,
        next_nonce integer not null,
        primary key (chain_id, signer)
      );

      create table idempotency_key (
        wallet text not null,
        operation text not null,
        key text not null,
        fingerprint text not null,
        subject text,
        workflow_id text,
        run_id text,
        update_id text,
        response_status integer,
        response_body jsonb,
        created_at timestamptz(3) not null,
        completed_at timestamptz(3),
        primary key (wallet, operation, key)
      );
      create index idempotency_key_age on idempotency_key (created_at);

      create unlogged table rate_window (
        bucket text not null,
        key text not null,
        window_start timestamptz(3) not null,
        count integer not null,
        primary key (bucket, key, window_start)
      );
      create index rate_window_age on rate_window (window_start);

      create table auth_challenge (
        nonce text primary key,
        kind text not null check (kind in ('evm', 'native')),
        subject text not null,
        message text not null,
        issued_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        consumed_at timestamptz(3)
      );
      create index auth_challenge_age on auth_challenge (expires_at);

      create table revoked_token (
        jti text primary key,
        subject text not null,
        revoked_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        reason text not null
      );
      create index revoked_token_age on revoked_token (expires_at);
    `)
  }

  override down(): void {
    this.addSql(`
      drop view job_attempts;
      drop table revoked_token, auth_challenge, rate_window, idempotency_key, chain_nonce, chain_transaction, event,
        subsidy_reservation, reputation_event, badge, verification, session_event, session, claim_intent,
        reward_bank_reading, catalogue_version, job cascade;
    `)
  }
}
