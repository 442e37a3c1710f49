/** What gets a caller out of a refusal: a route, a tool, a transaction, a wait or a new sign-in. */
export interface NextAction {
  kind: 'http' | 'tool' | 'transaction' | 'wait' | 'sign_in'
  description: string
  method?: string
  path?: string
  tool?: string
  transaction?: Record<string, unknown>
  availableAt?: string
}

/** One failed rule of an input: RFC 6901 pointer for body members, `query/<name>`, `path/<name>` or `header/<name>` otherwise. */
export interface FieldError {
  pointer: string
  rule: string
  limit?: string | number
  message: string
}

export interface ErrorRow {
  status: number
  title: string
  /** What happened, in one sentence; the `detail` of an occurrence unless the thrower says more. */
  meaning: string
  /** What the caller can do. */
  reaction: string
  /** True if the identical request may always succeed later; of one occurrence `isRetryable` tells. */
  retryable: boolean
}

const row = (status: number, title: string, meaning: string, reaction: string, retryable = false): ErrorRow => ({
  status,
  title,
  meaning,
  reaction,
  retryable,
})

/** The total table of machine codes. A code that is not here cannot be thrown (it would not type-check). */
export const ERRORS = {
  // Input
  invalid_request: row(
    400,
    'Invalid request',
    'The input does not match what this operation accepts.',
    'Correct what errors[] names and send again.',
  ),
  invalid_submission_shape: row(
    400,
    'Submission wrapped wrongly',
    'The schema object was wrapped under "output".',
    'Send the schema object directly as "submission".',
  ),
  asset_not_mintable: row(
    400,
    'Asset not mintable',
    'Only mock assets of a local chain can be minted.',
    'Fund the wallet with a real deposit.',
  ),
  capability_not_grantable: row(
    400,
    'Capability not grantable',
    'This capability can never be granted.',
    'Choose capabilities that may be granted.',
  ),
  catalog_verifier_cannot_reject_bad_work: row(
    400,
    'Verifier accepts anything',
    'The verifier settings would pass a placeholder.',
    'Change the verifier settings so that bad work fails.',
  ),
  external_reward_below_floor: row(
    400,
    'Reward below floor',
    'The reward is below the floor for external jobs.',
    'Raise the reward to the limit in errors[].',
  ),
  external_reward_above_ceiling: row(
    400,
    'Reward above ceiling',
    'The reward is above the ceiling for external jobs.',
    'Lower the reward to the limit in errors[].',
  ),
  external_reward_invalid_shape: row(
    400,
    'Reward not valid',
    'The reward is not a positive amount of the funding asset.',
    'Send the reward as errors[] describes.',
  ),
  external_schema_not_supported: row(
    400,
    'Schema not supported',
    'External jobs may use registered schemas only.',
    'Choose a schema from GET /schemas/jobs.',
  ),
  external_sponsored_gas_forbidden: row(
    400,
    'Sponsored gas forbidden',
    'External jobs pay their own gas.',
    'Leave requiresSponsoredGas out.',
  ),
  external_onboarding_waiver_forbidden: row(
    400,
    'Waiver forbidden',
    'External jobs cannot waive the claim stake.',
    'Leave onboardingWaiverEligible out.',
  ),
  external_payout_mode_not_supported: row(
    400,
    'Payout mode not supported',
    'External jobs pay out in one payment.',
    'Use the single payout mode.',
  ),
  external_reward_asset_not_supported: row(
    400,
    'Reward asset not supported',
    'External jobs pay in the configured asset only.',
    'Use the asset of the chain file.',
  ),
  designated_claimants_cardinality_invalid: row(
    400,
    'Wrong number of claimants',
    'The list of designated claimants has a wrong length.',
    'Send as many claimants as errors[] allows.',
  ),
  designated_claimant_address_invalid: row(
    400,
    'Claimant address not valid',
    'A designated claimant is not an address.',
    'Correct the address that errors[] names.',
  ),
  designated_claimant_checksum_required: row(
    400,
    'Claimant checksum required',
    'A designated claimant is not in its checksum spelling.',
    'Send the EIP-55 spelling.',
  ),

  // Sign-in and tokens
  missing_token: row(401, 'Not signed in', 'This operation needs a bearer token.', 'Sign in and send the token as Authorization: Bearer.'),
  malformed_token: row(401, 'Malformed token', 'The bearer is not a signed token of the compact form.', 'Sign in again.'),
  unsupported_alg: row(401, 'Algorithm not accepted', 'The token names an algorithm this service does not accept.', 'Sign in again.'),
  unknown_kid: row(401, 'Unknown key', 'The token names a key this service does not have.', 'Sign in again.'),
  bad_signature: row(
    401,
    'Bad signature',
    'The signature of the token, or of the body of a hook, does not verify.',
    'Sign in again; a hook signs the raw body with the configured secret.',
  ),
  claims_mismatch: row(401, 'Claims do not match', 'Issuer, audience or type of the token is not ours.', 'Sign in again.'),
  role_not_allowed: row(401, 'Role not allowed', 'The token carries a role that does not exist.', 'Sign in again.'),
  missing_subject: row(401, 'No subject', 'The token names no subject.', 'Sign in again.'),
  invalid_token_kind: row(401, 'Wrong kind of token', 'The token is of a kind that does not open this door.', 'Sign in again.'),
  token_expired: row(401, 'Token expired', 'The lifetime of the token has passed.', 'Sign in again; refresh before expiry next time.'),
  token_revoked: row(401, 'Token revoked', 'The token was revoked by logout, refresh or an operator.', 'Sign in again.'),
  auth_session_expired: row(401, 'Sign-in session ended', 'A chain of refreshes ends 30 days after sign-in.', 'Sign in again.'),
  token_iat_future: row(
    401,
    'Token issued in the future',
    'The issue time of the token is more than 60 seconds ahead.',
    'Check the clock and repeat.',
    true,
  ),
  token_nbf_future: row(
    401,
    'Token not valid yet',
    'The token becomes valid more than 60 seconds from now.',
    'Check the clock and repeat.',
    true,
  ),
  service_token_refresh_unsupported: row(
    401,
    'Service tokens are not refreshed',
    'A service token cannot be refreshed.',
    'Ask an admin to rotate the token.',
  ),
  siwe_message_mismatch: row(
    401,
    'Message changed',
    'The message is not byte for byte the one that was issued.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  siwe_domain_mismatch: row(
    401,
    'Wrong domain',
    'The message was issued for another domain.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  siwe_uri_mismatch: row(401, 'Wrong URI', 'The message names another URI.', 'Request a new nonce and sign exactly the returned text.'),
  siwe_chain_mismatch: row(
    401,
    'Wrong chain',
    'The message names another chain id.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  siwe_expired: row(
    401,
    'Message expired',
    'The time to sign this message has passed.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  siwe_not_before: row(
    401,
    'Message not valid yet',
    'The message is not valid yet.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  siwe_bad_issued_at: row(
    401,
    'Issue time unreadable',
    'The message carries no readable issue time.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  siwe_iat_future: row(
    401,
    'Issued in the future',
    'The message was issued more than 60 seconds ahead of now.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  siwe_recover_failed: row(
    401,
    'Signature unreadable',
    'No signer can be recovered from the signature.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  siwe_signature_mismatch: row(
    401,
    'Another signer',
    'The signature is not of the wallet that asked for the nonce.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  invalid_nonce: row(
    401,
    'Nonce unknown or used',
    'The nonce is unknown, used or expired.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  nonce_wallet_mismatch: row(
    401,
    'Nonce of another wallet',
    'The nonce was issued to another wallet.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  native_signature_invalid: row(
    401,
    'Native signature not valid',
    'The signature does not verify for the native account.',
    'Request a new nonce and sign exactly the returned text.',
  ),
  native_signature_type_unsupported: row(
    401,
    'Signature type not supported',
    'Only sr25519 and ed25519 are accepted.',
    'Request a new nonce and sign exactly the returned text.',
  ),

  // Payment
  verification_payment_required: row(
    402,
    'Payment required',
    'This run is paid and no payment was sent.',
    'Pay as "accepts" describes and repeat.',
  ),
  payment_proof_malformed: row(
    402,
    'Payment unreadable',
    'The payment is not base64 JSON of the expected form.',
    'Correct the payment payload.',
  ),
  payment_version_unsupported: row(402, 'Payment version not supported', 'Only x402 version 2 is accepted.', 'Send a version 2 payload.'),
  payment_requirements_mismatch: row(
    402,
    'Payment terms differ',
    'The accepted terms are not the required ones.',
    'Echo the requirements unchanged.',
  ),
  payment_authorization_invalid: row(
    402,
    'Authorization not valid',
    'A member of the payment authorization is malformed.',
    'Correct the payment payload.',
  ),
  payment_recipient_mismatch: row(402, 'Wrong recipient', 'The authorization pays somebody else.', 'Pay the address in "accepts".'),
  payment_exact_price_required: row(402, 'Exact price required', 'The authorized value is not the price.', 'Authorize exactly the price.'),
  payment_signature_invalid: row(
    402,
    'Payment signature not valid',
    'No signer can be recovered from the payment.',
    'Sign the typed data again.',
  ),
  payment_payer_mismatch: row(402, 'Another payer', 'The payment was not signed by its payer.', 'Sign with the paying account.'),
  payment_authorization_not_yet_valid: row(
    402,
    'Authorization not valid yet',
    'validAfter is not in the past.',
    'Set an earlier validAfter.',
  ),
  payment_authorization_expiry_margin_insufficient: row(
    402,
    'Authorization ends too soon',
    'validBefore leaves too little time for the run.',
    'Set a later validBefore.',
  ),
  payment_authorization_used: row(402, 'Authorization spent', 'The payment nonce was used on chain.', 'Use a fresh payment nonce.'),
  payment_insufficient_funds: row(402, 'Payer balance too low', 'The payer holds less than the price.', 'Fund the payer and repeat.'),
  payment_payer_blocked: row(402, 'Payer has open debts', 'Too many runs of this payer were not paid.', 'Settle the open payments first.'),

  // Not allowed
  missing_role: row(
    403,
    'Role missing',
    'The role this operation needs is not held or no longer configured.',
    'Sign in with a wallet that holds the role.',
  ),
  missing_capability: row(
    403,
    'Capability missing',
    'The token does not carry a capability this operation needs.',
    'Ask for a grant with the missing capability.',
  ),
  wallet_session_required: row(403, 'Wallet sign-in required', 'A service token may not do this.', 'Sign in with the wallet itself.'),
  tier_locked: row(403, 'Tier locked', 'The skill of the wallet is below what this tier needs.', 'Earn skill on lower tiers first.'),
  role_locked: row(403, 'Role locked', 'The job needs a role the wallet does not have.', 'Choose a job for workers.'),
  session_not_owned: row(
    403,
    'Session of another wallet',
    'This session belongs to another wallet.',
    'Use the wallet that claimed the job.',
  ),
  xcm_request_not_owned: row(
    403,
    'Request of another wallet',
    'This cross-chain request belongs to another wallet.',
    'Use the wallet that made the request.',
  ),
  external_draft_not_owned: row(
    403,
    'Draft of another wallet',
    'This draft belongs to another wallet.',
    'Use the wallet that made the draft.',
  ),
  receipt_wallet_mismatch: row(
    403,
    'Receipts of another wallet',
    'Only own receipts are listed.',
    'Ask for the receipts of the signed-in wallet.',
  ),
  share_forbidden: row(403, 'Share not allowed', 'The wallet may not share or revoke this.', 'Share own records only.'),
  content_private: row(403, 'Content private', 'This content is not visible to the caller.', 'Ask its owner to publish it.'),
  content_publish_forbidden: row(
    403,
    'Publishing not allowed',
    'Only the owner or an admin publishes this content.',
    "Use the owner's wallet.",
  ),
  grant_capability_not_owned: row(
    403,
    'Capability not held',
    'The issuer lacks what it wants to grant.',
    'Grant only capabilities the issuer holds.',
  ),
  invalid_share_token: row(403, 'Share token not valid', 'The share token was not made by this service.', 'Ask for a new share.'),
  external_posting_closed: row(403, 'External posting closed', 'External posting is not open.', 'Wait until it is opened.'),
  external_poster_not_allowed: row(403, 'Poster not allowed', 'This wallet may not post external jobs.', 'Ask the operator.'),
  claim_not_brokered: row(
    403,
    'Claim not brokered',
    'The service does not send this claim for the wallet.',
    'Send the claim transaction from the wallet.',
  ),
  funding_route_restricted: row(
    403,
    'Funding restricted',
    'Test funding works on a local chain only.',
    'Deposit through POST /account/deposit/transactions.',
  ),

  // Not found
  not_found: row(404, 'No such path', 'No operation has this path.', 'See GET /openapi.json for every path.'),
  job_not_found: row(404, 'Job not found', 'No listed job has this id.', 'List jobs with GET /jobs.'),
  session_not_found: row(404, 'Session not found', 'No session has this id.', 'List own sessions with GET /sessions.'),
  badge_not_ready: row(404, 'Badge not ready', 'The session exists and has no badge yet.', 'Ask again after approval.', true),
  receipt_not_found: row(404, 'Receipt not found', 'No receipt has this hash.', 'Check the hash.'),
  content_not_found: row(404, 'Content not found', 'No content has this hash, or it is not visible.', 'Check the hash.'),
  dispute_not_found: row(404, 'Dispute not found', 'No dispute has this id, or it is not visible.', 'Check the id.'),
  schema_not_found: row(404, 'Schema not found', 'No built-in job schema has this name.', 'List schemas with GET /schemas/jobs.'),
  agent_not_found: row(404, 'Agent not found', 'No listed agent has this wallet.', 'Check the wallet.'),
  share_not_found: row(404, 'Share not found', 'No share has this token.', 'Ask for a new share.'),
  xcm_request_not_found: row(404, 'Request not found', 'No cross-chain request has this id.', 'Check the id.'),
  locked_tier_not_found: row(
    404,
    'Locked deposit not found',
    'The wallet has no locked deposit with this id.',
    'See GET /me for own locked deposits.',
  ),
  external_draft_not_found: row(404, 'Draft not found', 'No draft has this id.', 'Make a draft first.'),
  external_job_submission_not_found: row(404, 'Submission not found', 'The external job has no submission.', 'Wait for a submission.'),
  service_token_not_found: row(404, 'Service token not found', 'No service token has this id.', 'Check the id.'),
  verification_profile_not_found: row(404, 'Profile not found', 'No verification profile has this name and version.', 'Check its name.'),
  verification_run_not_found: row(404, 'Run not found', 'No verification run has this id.', 'Check the id.'),
  method_not_allowed: row(405, 'Method not allowed', 'The path exists and does not take this method.', 'Use a method of the Allow header.'),

  // State of the job, the session or the wallet
  job_already_claimed: row(409, 'Job already claimed', 'Another wallet holds this job.', 'Choose another job.'),
  job_session_completed: row(409, 'Job completed', 'The work of this job is done.', 'Choose another job.'),
  retry_limit_exhausted: row(409, 'Attempts used up', 'Every claim attempt of this job is used.', 'Choose another job.'),
  job_not_claimable: row(409, 'Job not claimable', 'The job cannot be claimed in its present state.', 'Choose another job.'),
  designated_claimants_only: row(
    409,
    'Reserved for named wallets',
    'Only the wallets named by the poster may claim this job.',
    'Choose another job.',
  ),
  external_job_delisted: row(409, 'Job delisted', 'The job was taken off the catalogue.', 'Choose another job.'),
  claim_in_progress: row(409, 'Claim in progress', 'A claim of this job is under way.', 'Repeat after Retry-After.', true),
  submit_in_progress: row(409, 'Submission in progress', 'A submission of this session is under way.', 'Repeat after Retry-After.', true),
  idempotency_key_in_flight: row(
    409,
    'Request still running',
    'A request with this key is still running.',
    'Repeat after Retry-After.',
    true,
  ),
  external_job_transition_in_progress: row(
    409,
    'Job changing',
    'The state of the job is being changed.',
    'Repeat after Retry-After.',
    true,
  ),
  idempotency_key_already_used: row(
    409,
    'Key of an ended session',
    'This key belongs to a session that has ended.',
    'Claim again with a fresh key if attempts remain.',
  ),
  reward_funding_pending: row(
    409,
    'Reward not funded yet',
    'The platform cannot fund this reward at the moment.',
    'Retry after a refill or choose another job.',
    true,
  ),
  reward_funding_unverified: row(
    409,
    'Reward funding unverified',
    'The funding of this reward cannot be confirmed.',
    'A platform fault: report it and do not attempt the claim.',
  ),
  priority_window_active: row(
    409,
    'Priority window open',
    'Qualifying wallets may claim first until the window opens.',
    'Wait until openAt.',
    true,
  ),
  insufficient_liquidity: row(409, 'Liquid balance too low', 'The liquid balance does not cover the claim lock.', 'Deposit the shortfall.'),
  worker_open_exposure_cap_reached: row(
    409,
    'Open exposure cap reached',
    'Open work of this wallet fills its cap.',
    'Finish open work, or deposit.',
  ),
  daily_exposure_budget_reached: row(
    409,
    'Daily exposure budget reached',
    'The wallet has used its budget of the day.',
    'Wait for resetAt, or deposit.',
  ),
  lifetime_catalogue_credit_exhausted: row(
    409,
    'Catalogue credit used up',
    'The wallet has used its credit on catalogue jobs.',
    'Deposit, or choose external jobs.',
  ),
  external_reward_exceeds_capital_ceiling: row(
    409,
    'Reward above capital ceiling',
    'The reward is above what the capital of the wallet allows.',
    'Deposit, or choose a smaller job.',
  ),
  worker_open_exposure_unavailable: row(409, 'Open exposure unreadable', 'The open exposure could not be read.', 'Repeat later.', true),
  daily_exposure_budget_unavailable: row(
    409,
    'Daily budget unreadable',
    'The daily exposure budget could not be read.',
    'Repeat later.',
    true,
  ),
  catalogue_daily_budget_unavailable: row(
    409,
    'Catalogue budget unreadable',
    'The daily catalogue budget could not be read.',
    'Repeat later.',
    true,
  ),
  source_payment_history_unavailable: row(
    409,
    'Payment history unreadable',
    'Earlier payments of this source could not be read.',
    'Repeat later.',
    true,
  ),
  catalogue_daily_budget_exhausted: row(
    409,
    'Catalogue budget used up',
    'The catalogue budget of the day is used up.',
    'Repeat after resetAt.',
    true,
  ),
  onboarding_subsidy_exhausted: row(
    409,
    'Onboarding subsidy used up',
    'The onboarding subsidy of the day is used up.',
    'Repeat after resetAt.',
    true,
  ),
  source_already_paid: row(409, 'Source already paid', 'This source revision was paid before.', 'Choose another job.'),
  job_definition_chain_mismatch: row(
    409,
    'Definition differs from chain',
    'The stored definition is not the one on chain.',
    'A platform fault: report it.',
  ),
  job_definition_integrity_invalid: row(
    409,
    'Definition damaged',
    'The stored definition does not match its hash.',
    'A platform fault: report it.',
  ),
  external_self_paid_claim_required: row(
    409,
    'Send the claim yourself',
    'This job is claimed by a transaction of the worker.',
    'Broadcast the transaction, then repeat the request.',
    true,
  ),
  external_self_paid_submit_required: row(
    409,
    'Send the submission yourself',
    'This job is submitted by a transaction of the worker.',
    'Broadcast the transaction, then repeat the request.',
    true,
  ),
  external_direct_submit_state_mismatch: row(
    409,
    'Chain state differs',
    'The escrow is not in the state this submission needs.',
    'Compare the session with the chain.',
  ),
  external_direct_submit_evidence_mismatch: row(
    409,
    'Evidence differs',
    'The evidence hash on chain is not that of this submission.',
    'Send the submission whose hash is on chain.',
  ),
  external_posting_not_open_on_chain: row(
    409,
    'Posting not open on chain',
    'The escrow of this posting is not open.',
    'Choose another job.',
  ),
  external_posting_escrow_unverified: row(
    409,
    'Posting unverified',
    'The escrow of this posting could not be verified.',
    'Choose another job.',
  ),
  claim_expired: row(409, 'Claim expired', 'The time to submit has passed.', 'Claim again if attempts remain.'),
  invalid_session_transition: row(
    409,
    'Session state does not allow it',
    'The session cannot make this move from its state.',
    'Read the session and act on its state.',
  ),
  session_already_closed: row(409, 'Session closed before', 'An operator has closed this session already.', 'Read the session.'),
  session_process_running: row(
    409,
    'Process still running',
    'The process of this session runs, and only it may end the session.',
    'Wait until it has ended, or end it in the workflow engine first.',
    true,
  ),
  session_money_unsettled: row(
    409,
    'Money still in the escrow',
    'The escrow still holds the reward or the bond of this claim.',
    'Let the money move first: see the next actions.',
  ),
  maintainer_open_pr_cap_reached: row(
    409,
    'Too many open pull requests',
    "The maintainer's cap of open pull requests is reached.",
    'Wait until one is merged or closed.',
  ),
  brokered_submit_evidence_missing: row(409, 'Submission missing', 'There is no stored submission to send.', 'Submit the work again.'),
  brokered_submit_expired: row(
    409,
    'Submission came too late',
    'The claim ended before the submission reached the chain.',
    'Claim again if attempts remain.',
  ),
  brokered_submit_attempts_exhausted: row(
    409,
    'Submission could not be sent',
    'The chain refused the submission too often.',
    'Report the request id; the attempt does not count.',
  ),
  brokered_submit_worker_mismatch: row(
    409,
    'Another worker on chain',
    'The chain names another worker for this job.',
    'Compare the session with the chain.',
  ),
  brokered_submit_not_landed: row(
    409,
    'Submission not on chain yet',
    'The submission has not reached the chain.',
    'Repeat after Retry-After.',
    true,
  ),
  brokered_submit_backoff: row(
    409,
    'Submission waits for its next try',
    'The submission waits before it is sent again.',
    'Repeat after Retry-After.',
    true,
  ),
  blockchain_revert: row(
    409,
    'Refused by the contract',
    'The contract refused the call.',
    'See the decoded error and its remedy in details. With Retry-After the same request can be repeated.',
  ),
  chain_state_diverged: row(
    409,
    'Chain and record differ',
    'The chain tells another story than the record.',
    'A platform fault: report it.',
  ),
  claim_reconciliation_worker_mismatch: row(
    409,
    'Claim of another worker',
    'The chain names another worker for this claim.',
    'Compare the session with the chain.',
  ),
  claim_timeout_unavailable: row(
    409,
    'Time-out not due',
    'The chain does not allow the time-out yet.',
    'Wait for the claim to expire.',
    true,
  ),
  claim_timeout_not_reopened: row(409, 'Job not reopened', 'The time-out did not reopen the job on chain.', 'A platform fault: report it.'),
  job_snapshot_missing: row(409, 'Snapshot missing', 'The session has no pinned job definition.', 'A platform fault: report it.'),
  job_snapshot_incomplete: row(409, 'Snapshot incomplete', 'The pinned job definition lacks a part.', 'A platform fault: report it.'),
  job_snapshot_capture_failed: row(409, 'Snapshot not taken', 'The job definition could not be pinned.', 'Repeat the claim.', true),
  job_snapshot_job_id_mismatch: row(
    409,
    'Snapshot of another job',
    'The pinned definition belongs to another job.',
    'A platform fault: report it.',
  ),
  job_snapshot_chain_job_id_mismatch: row(
    409,
    'Snapshot of another chain job',
    'The pinned definition names another chain job.',
    'A platform fault: report it.',
  ),
  job_snapshot_definition_hash_mismatch: row(
    409,
    'Snapshot damaged',
    'The pinned definition does not match its hash.',
    'A platform fault: report it.',
  ),
  job_snapshot_spec_preimage_mismatch: row(
    409,
    'Spec differs',
    'The pinned spec does not give the stored hash.',
    'A platform fault: report it.',
  ),
  job_snapshot_output_schema_mismatch: row(
    409,
    'Schema differs',
    'The pinned output schema does not match its hash.',
    'A platform fault: report it.',
  ),
  job_snapshot_on_chain_spec_hash_mismatch: row(
    409,
    'Spec differs on chain',
    'The spec hash on chain is not the pinned one.',
    'A platform fault: report it.',
  ),
  job_snapshot_chain_spec_hash_missing: row(
    409,
    'No spec hash on chain',
    'The chain holds no spec hash for this job.',
    'A platform fault: report it.',
  ),
  job_snapshot_chain_read_unavailable: row(409, 'Spec hash unreadable', 'The spec hash on chain could not be read.', 'Repeat later.', true),
  job_snapshot_chain_read_failed: row(409, 'Spec hash read failed', 'The read of the spec hash failed.', 'Repeat later.', true),
  profile_opt_in_required: row(409, 'Profile not public', 'Current activity needs a public profile first.', 'Opt in to the profile first.'),
  native_account_mapping_required: row(
    409,
    'Account not mapped',
    'A native account maps itself before it earns.',
    'Send the mapping call in details, then repeat.',
  ),
  native_mapping_mismatch: row(
    409,
    'Mapping of another account',
    'The payout address is mapped to another account.',
    'Use the mapped account.',
  ),
  legacy_posting_unclaimable: row(409, 'Old posting', 'This posting belongs to an escrow that takes no claims.', 'Choose another job.'),

  // Verdicts, disputes, operators
  dispute_already_decided: row(
    409,
    'Dispute decided',
    'The dispute has a verdict, which is final.',
    'Read the verdict with GET /disputes/:id.',
  ),
  dispute_timeout_not_reached: row(
    409,
    'Too early for the time-out',
    'The time-out of the dispute is not reached.',
    'Wait for the deadline.',
  ),
  overturn_window_closed: row(409, 'Overturn window closed', 'The rejection is final.', 'Nothing can be done.'),
  arbitration_prepared_payout_mismatch: row(
    409,
    'Payout differs',
    'The payout is not the one that was prepared.',
    'Prepare the verdict again.',
  ),
  job_exists: row(409, 'Job exists', 'A job with this id exists.', 'Choose another id.'),
  lane_budget_exhausted: row(
    409,
    'Lane budget used up',
    'The budget of this lane is used up for today.',
    'Repeat after the day ends.',
    true,
  ),
  lane_backlog_saturated: row(409, 'Lane full', 'The lane holds as many open jobs as it may.', 'Repeat when jobs are done.', true),
  lane_paused: row(409, 'Lane paused', 'The lane is paused.', 'Repeat after it is resumed.', true),
  catalogue_lane_posting_busy: row(409, 'Lane busy', 'Another posting of this lane is under way.', 'Repeat after Retry-After.', true),
  ingest_refused_spec_hash_mismatch: row(
    409,
    'Spec hash differs',
    'An imported job does not give the expected spec hash.',
    'Check the source.',
  ),
  recurring_reserve_exhausted: row(
    409,
    'Template reserve used up',
    'The reserve of the recurring template is used up.',
    'Refill the reserve.',
  ),
  recurring_job_collision: row(409, 'Recurring job exists', 'The run of this template exists.', 'Read the existing job.'),
  subjob_depth_exceeded: row(409, 'Sub-job too deep', 'Sub-jobs may not be nested this deep.', 'Make the job at a higher level.'),
  subjob_count_exceeded: row(409, 'Too many sub-jobs', 'The job has as many sub-jobs as it may.', 'Finish sub-jobs first.'),
  subjob_budget_exceeded: row(409, 'Sub-job budget exceeded', 'The rewards of sub-jobs exceed their budget.', 'Lower the rewards.'),
  service_token_grant_revoked: row(409, 'Grant revoked', 'The grant of this service token was revoked.', 'Issue a token for a live grant.'),
  designated_agreement_reward_cap_exceeded: row(
    409,
    'Agreement reward cap',
    'The reward is above the cap of the agreement.',
    'Lower the reward.',
  ),
  designated_agreement_concurrent_cap_reached: row(
    409,
    'Agreement cap reached',
    'The agreement has as many open jobs as it may.',
    'Finish open jobs first.',
  ),
  designated_agreement_cap_unavailable: row(
    409,
    'Agreement cap unreadable',
    'The cap of the agreement could not be read.',
    'Repeat later.',
    true,
  ),
  designated_agreement_cap_check_in_progress: row(
    409,
    'Agreement check under way',
    'Another posting of this agreement is being checked.',
    'Repeat after Retry-After.',
    true,
  ),
  external_fee_quote_mismatch: row(409, 'Fee quote differs', 'The fee is not the quoted one.', 'Request a new quote.'),
  external_fee_quote_reward_mismatch: row(409, 'Quoted reward differs', 'The quote is for another reward.', 'Request a new quote.'),
  credit_disclosure_mismatch: row(
    409,
    'Disclosure differs',
    'The disclosure text is not the current one.',
    'Read and confirm the current text.',
  ),
  payment_authorization_reused: row(
    409,
    'Payment nonce reused',
    'This payment nonce paid for another request.',
    'Use a new payment nonce.',
  ),
  verification_profile_immutable: row(409, 'Profile fixed', 'A published profile is never changed.', 'Publish a new version.'),

  // Deposits and idle balance
  locked_tiers_disabled: row(409, 'Locked deposits closed', 'Locked deposits are not open.', 'See lockedDeposits in GET /onboarding.'),
  locked_tier_disabled: row(409, 'Tier closed', 'This tier is not open.', 'Choose another tier.'),
  locked_tier_quote_unknown: row(409, 'Quote unknown', 'No stored quote has these terms.', 'Request a new quote.'),
  locked_tier_quote_expired: row(409, 'Quote expired', 'The quote has expired.', 'Request a new quote.'),
  locked_tier_terms_hash_mismatch: row(409, 'Terms differ', 'The terms are not those of the quote.', 'Send the terms unchanged.'),
  locked_tier_consent_signer_mismatch: row(
    409,
    'Another signer',
    'The consent was not signed by the wallet.',
    'Sign with the wallet of the quote.',
  ),
  locked_tier_consent_binding_mismatch: row(
    409,
    'Consent differs',
    'The consent does not name these terms and this wallet.',
    'Request a new quote.',
  ),
  locked_tier_asset_mismatch: row(409, 'Wrong asset', 'Locked deposits take the configured asset only.', 'Use the configured asset.'),
  locked_tier_insufficient_aac_liquid: row(
    409,
    'Liquid balance too low',
    'The account does not hold the amount as liquid balance.',
    'Deposit first.',
  ),
  locked_tier_per_wallet_cap_exceeded: row(409, 'Wallet cap exceeded', 'The amount exceeds the cap of the wallet.', 'Lower the amount.'),
  locked_tier_cohort_cap_exceeded: row(409, 'Tier cap exceeded', 'The amount exceeds the cap of all deposits.', 'Lower the amount.'),
  locked_tier_pool_per_agent_cap_exceeded: row(
    409,
    'Pool cap exceeded',
    "The amount exceeds the pool's cap of the wallet.",
    'Lower the amount.',
  ),
  locked_tier_outstanding_credit_draw: row(409, 'Credit outstanding', 'The wallet has an open loan.', 'Repay the loan first.'),
  locked_tier_nav_wallet_mismatch: row(409, 'Value of another wallet', 'The value read belongs to another wallet.', 'Repeat later.'),
  locked_tier_already_released: row(409, 'Already released', 'The locked deposit was released.', 'Withdraw the liquid balance.'),
  idle_balance_consent_missing: row(409, 'No consent', 'The wallet has given no consent.', 'Give consent first.'),
  idle_balance_consent_revoked: row(409, 'Consent revoked', 'The consent was revoked.', 'Give a new consent.'),
  route_not_live: row(409, 'Route not live', 'This route of the product is not live yet.', 'See the status of the product.'),

  // Gone, too large, semantic
  share_token_expired: row(410, 'Share expired', 'The share has expired.', 'Ask for a new share.'),
  share_revoked: row(410, 'Share revoked', 'The share was revoked.', 'Ask for a new share.'),
  payload_too_large: row(413, 'Body too large', 'The request body is larger than the limit.', 'Send a smaller body.'),
  idempotency_key_reused: row(422, 'Key reused', 'The key was used for a request with other content.', 'Use a fresh key for new content.'),
  external_listing_quarantined: row(
    422,
    'Listing quarantined',
    'The listing breaks a content rule.',
    'Change what the rule family in details names.',
  ),
  rate_limited: row(429, 'Too many requests', 'The limit of this bucket is used up.', 'Wait for Retry-After.', true),

  // Failures of the service and below
  internal_error: row(500, 'Internal error', 'The service failed unexpectedly.', 'Report the request id.'),
  invalid_configuration: row(500, 'Configuration not valid', 'The service is configured wrongly.', 'Report the request id.'),
  auth_not_configured: row(500, 'Sign-in not configured', 'The service has no sign-in configuration.', 'Report the request id.'),
  upstream_failure: row(502, 'Upstream failed', 'A service this one depends on failed.', 'Repeat later.', true),
  blockchain_unavailable: row(502, 'Chain unreadable', 'The chain could not be read.', 'Repeat later.', true),
  claim_economics_unavailable: row(502, 'Claim terms unreadable', 'Stake and fee of this claim could not be read.', 'Repeat later.', true),
  external_fee_quote_unavailable: row(502, 'Fee quote unavailable', 'The fee could not be quoted.', 'Repeat later.', true),
  external_fee_quote_invalid: row(502, 'Fee quote not valid', 'The quoted fee makes no sense.', 'Repeat later.', true),
  state_store_unavailable: row(
    503,
    'Database unavailable',
    'The database is down; the outcome may be unknown.',
    'Repeat the same request; it converges.',
    true,
  ),
  workflow_engine_unavailable: row(
    503,
    'Workflow engine unavailable',
    'The workflow engine is down; the outcome may be unknown.',
    'Repeat the same request; it converges.',
    true,
  ),
  service_starting: row(
    503,
    'Service starting',
    'The service is starting and a part it cannot do without does not answer yet.',
    'Repeat the same request.',
    true,
  ),
  chain_backend_required: row(
    503,
    'No chain configured',
    'This operation needs a chain that is configured and reachable.',
    'See reason.',
    true,
  ),
  payment_nonce_state_unavailable: row(
    503,
    'Payment state unreadable',
    'The state of the payment nonce could not be read.',
    'Repeat later.',
    true,
  ),
  payment_domain_unavailable: row(
    503,
    'Payment domain unreadable',
    "The token's signing domain could not be confirmed.",
    'Repeat later.',
    true,
  ),
  native_mapping_unreadable: row(503, 'Mapping unreadable', 'The mapping of the native account could not be read.', 'Repeat later.', true),
  metrics_auth_unconfigured: row(
    503,
    'Metrics secret missing',
    'Metrics need a bearer secret and none is configured.',
    'Configure the secret.',
  ),
  verification_profile_unavailable: row(
    503,
    'Profile unavailable',
    'The verification profile cannot run at the moment.',
    'Repeat later.',
    true,
  ),
  idle_balance_venue_state_unavailable: row(503, 'Venue unreadable', 'The state of the venue could not be read.', 'Repeat later.', true),
  locked_tier_credit_position_unavailable: row(
    503,
    'Credit position unreadable',
    'The credit position could not be read.',
    'Repeat later.',
    true,
  ),
  locked_tier_aac_balance_unavailable: row(503, 'Balance unreadable', 'The account balance could not be read.', 'Repeat later.', true),
  locked_tier_nav_unavailable: row(503, 'Value unreadable', 'The value of the deposit could not be read.', 'Repeat later.', true),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS

export interface ErrorInfo {
  detail?: string | undefined
  reason?: string | undefined
  details?: Record<string, unknown> | undefined
  retryAfterSeconds?: number | undefined
  nextActions?: NextAction[] | undefined
  errors?: FieldError[] | undefined
  cause?: unknown
}

/** The one way to refuse or fail: a code of the table with the facts of this occurrence. Never carries secrets or exception text. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly info: ErrorInfo
  constructor(code: ErrorCode, info: ErrorInfo = {}) {
    super(info.detail ?? ERRORS[code].meaning, info.cause === undefined ? undefined : { cause: info.cause })
    this.name = 'ServiceError'
    this.code = code
    this.info = info
  }
}

/**
 * Whether the identical request may succeed later: by its code, or because this occurrence says when. Not to be asked of a key: a request whose
 * refusal says when to come back has been decided, and its repeat is a new one.
 */
export const isRetryable = (code: ErrorCode, retryAfterSeconds: number | undefined): boolean =>
  ERRORS[code].retryable || retryAfterSeconds !== undefined

export const isServiceError = (error: unknown): error is ServiceError => error instanceof ServiceError

/** A 4xx code: repeating the same step cannot help. */
export const isRefusal = (error: unknown): error is ServiceError => isServiceError(error) && ERRORS[error.code].status < 500

export const isErrorCode = (code: string | null): code is ErrorCode => code !== null && Object.hasOwn(ERRORS, code)
