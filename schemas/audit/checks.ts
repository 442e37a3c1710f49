interface AuditCheck {
  /** What holds when the check passes. */
  meaning: string
  /** What an operator does after a finding. */
  remedy: string
  /** Whether the check counts on complete records of the chain's events. */
  needsEvents: boolean
}

/** What an operator does after a cap was exceeded. */
const OVERRUN = 'If a row was altered, restore it from a backup. If none was, pause the contracts and report the defect with the finding.'

/** Every check of the audit, by name, in the order of the report. A new check is an entry here and a function in `activities/audit/run.ts`. */
export const AUDIT_CHECKS = {
  account_positions: {
    meaning: 'The positions of all accounts add up to the token balance of the account contract, for each asset.',
    remedy: 'More tokens than positions: a sender paid the contract directly. Fewer: pause the contracts and find the loss.',
    needsEvents: true,
  },
  deposit_pool: {
    meaning: 'The shares of all depositors add up to the supply of the deposit pool, and their value to its assets.',
    remedy: 'Read the Transfer events of the pool that are missing from the records: check chain_events first.',
    needsEvents: true,
  },
  credit_pool: {
    meaning: 'The shares of all lenders add up to the supply of the credit pool, and their value to its assets.',
    remedy: 'Read the Transfer events of the pool that are missing from the records: check chain_events first.',
    needsEvents: true,
  },
  loans: {
    meaning: 'The open loans add up to the outstanding principal and the pledged shares of the credit pool, and are open in the records.',
    remedy: 'Compare the loan on chain with its recorded events: check chain_events first.',
    needsEvents: true,
  },
  pledges: {
    meaning: 'The active pledges of each wallet add up to its pledged shares.',
    remedy: 'Compare the pledges on chain with their recorded events: check chain_events first.',
    needsEvents: true,
  },
  journal: {
    meaning: 'Every mined transaction of the journal has the receipt that its row states.',
    remedy: 'The chain lost it: npm run nonce -- resend <nonce>. The row was altered: restore it from a backup.',
    needsEvents: false,
  },
  signer_nonces: {
    meaning: 'Every transaction that the chain counts for a signer of the service is in its journal.',
    remedy: 'Another program used the key: stop it. If it is not yours, replace the key.',
    needsEvents: false,
  },
  chain_events: {
    meaning: 'The recorded events of the newest blocks are the logs of the node.',
    remedy: 'Compare with another node. If the records are wrong, restore the rows of these blocks from a backup.',
    needsEvents: false,
  },
  sessions: {
    meaning: 'The end of every session is the one that the chain shows, and its status is the last entry of an unbroken history.',
    remedy: 'Restore an altered row from a backup. For a session that did not follow the chain, look at its workflow.',
    needsEvents: true,
  },
  session_log: {
    meaning:
      'Every history of a session has its hashes, is the one that the signed heads of the log published, and the heads are unbroken.',
    remedy:
      'Restore an altered, lost or reordered row from a backup; the finding names the fault. Publish what happened: the heads prove it to others.',
    needsEvents: false,
  },
  reputation: {
    meaning: 'Every ended session has the ledger entry of its end on chain, with the scores of the rules.',
    remedy: 'Restore the ledger of the wallet from a backup.',
    needsEvents: true,
  },
  agent_statistics: {
    meaning: 'The statistics of every wallet are the sums of its sessions and of its ledger of scores.',
    remedy: 'A trigger was off, or a row was altered: add the sums up again and store them.',
    needsEvents: false,
  },
  badges: {
    meaning: 'Exactly the paid sessions have a badge; it shows what the chain paid, and its signature is ours.',
    remedy: 'Restore the badge from a backup. If the signature is wrong, check the table signing_key.',
    needsEvents: true,
  },
  receipts: {
    meaning: 'Exactly the ended sessions have a receipt; it shows what the chain paid, and its id, bytes and signature are ours.',
    remedy: 'Restore the receipt from a backup. If the current key differs, check RECEIPT_KEY and the table signing_key.',
    needsEvents: true,
  },
  dispute_files: {
    meaning: 'Every dispute of an ended session has a signed file that is what the records give.',
    remedy: 'Restore the file, or the row that differs from it, from a backup.',
    needsEvents: false,
  },
  postings: {
    meaning: 'Every posting stands as its escrow and the rules say, is its own content, and is listed exactly then.',
    remedy: 'Restore an altered row from a backup. For a posting that did not follow the chain, look at the workflow posting/<jobId>.',
    needsEvents: true,
  },
  funding_receipts: {
    meaning:
      'Exactly the postings that were listed have a receipt of their funding; it shows what the chain took, and its signature is ours.',
    remedy: 'Restore the row from a backup. If the signature is wrong, check the table signing_key.',
    needsEvents: true,
  },
  run_receipts: {
    meaning:
      'Exactly the paid and the unbilled runs of verification have a receipt; it shows what the run paid, and its id, bytes and signature are ours.',
    remedy: 'Restore the row from a backup. If the signature is wrong, check the table signing_key.',
    needsEvents: false,
  },
  captured_runs: {
    meaning:
      'Each paid run of the last 30 days has its payment on the payment chain, and no run that was not billed or could not be collected has one.',
    remedy:
      'A run has a payment that it does not show: pay the price back. A payment is gone: a reorganisation was deeper than the confirmations. Send its signed bytes again: npm run nonce -- resend <nonce> --signer settler.',
    needsEvents: false,
  },
  posted_claims: {
    meaning: 'Every claim on chain of a listed posting has a session or a claim under way, unless the chain released it.',
    remedy: 'Look at the workflows posting/<jobId>, which records the claim, and claim/<jobId>, which may still end an earlier one.',
    needsEvents: true,
  },
  vesting: {
    meaning: 'Every vesting checkpoint equals the vesting of all recorded events, and every vested deposit was made.',
    remedy: 'Delete the checkpoint: the service computes it again. Delete a vested deposit that the chain does not have.',
    needsEvents: true,
  },
  locked_deposits: {
    meaning: 'Every locked deposit is what its wallet signed, and the balance of the wallet covers its active ones.',
    remedy: 'Restore an altered row from a backup. Uncovered: look at the workflow locked-deposit/<id>, which should have begun the exit.',
    needsEvents: false,
  },
  idle_movements: {
    meaning: 'Every movement of idle balance is on chain, with its amount, and was signed under an active consent.',
    remedy: 'Revoke the consent, set IDLE_BALANCE_ALLOCATION_ROUTE_LIVE to false and compare the movement with the journal.',
    needsEvents: true,
  },
  cross_chain: {
    meaning: 'Every request to another chain that has ended on the wrapper has an outcome of the same numbers, and no other has one.',
    remedy: 'Restore an altered outcome from a backup. A missing one: look at the workflow xcm/<requestId>, which records it when it runs.',
    needsEvents: true,
  },
  webhooks: {
    meaning: 'The position of every webhook endpoint is an event that exists, and no event after it was delivered.',
    remedy: 'Set the position to the last delivered event, or to one before what is missing: later events are delivered again.',
    needsEvents: false,
  },
  deliveries: {
    meaning: 'Every tracked delivery belongs to a paid session, and its pull request has the same state.',
    remedy: 'If a row was altered, restore it from a backup. If none was, report the defect with the finding: no money depends on it.',
    needsEvents: false,
  },
  open_exposure: {
    meaning: 'No claim was admitted over the cap on open work of its wallet, which the claim pinned.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  catalogue_credit: {
    meaning: 'No claim was admitted over the catalogue credit of a wallet that had not graduated.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  daily_exposure: {
    meaning: 'No claim was admitted over the budget of 24 hours of a graduated wallet.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  catalogue_budget: {
    meaning: 'No claim was admitted over the budget of 24 hours of all wallets.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  onboarding_subsidy: {
    meaning: 'No claim was admitted over the onboarding subsidy of its day.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  delegate_budgets: {
    meaning: 'No delegate made more claims, or locked more in bonds, within 24 hours than its wallet granted.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  waivers: {
    meaning: 'No claim was waived beyond the number of waived claims of a wallet, which the claim pinned.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  lane_budgets: {
    meaning: 'No job was listed over the budget of 24 hours of its lane, or over the number of jobs that may wait in it.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  ingested_jobs: {
    meaning:
      'Every job of a source has the candidate that it was listed from, and every listed candidate names the last of its jobs and counts its reissues.',
    remedy: 'Restore an altered or lost row from a backup. A job without a candidate could be listed a second time: archive it until then.',
    needsEvents: false,
  },
  source_caps: {
    meaning: 'No job was listed from a source over the number of its jobs that could wait for a claim.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  gas_grants: {
    meaning: 'No gas grant was reserved over the number of its day.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  fee_raises: {
    meaning: 'The service added no more to the fees of its stuck transactions within 24 hours than its operator allows.',
    remedy:
      'If a row was altered, restore it from a backup. If none was, set FEE_RAISE_FACTOR to 1 and report the defect with the finding.',
    needsEvents: false,
  },
  lock_caps: {
    meaning: 'No locked deposit was made over the cap of its wallet or of all wallets.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  idle_runs: {
    meaning: 'No idle balance was lent over what a run may move, of one wallet or of all.',
    remedy: OVERRUN,
    needsEvents: false,
  },
  live_delegates: {
    meaning: 'No wallet granted to more delegates at a time than it may have.',
    remedy:
      'If a row was altered, restore it from a backup. If none was, tell the wallet to revoke them, and report the defect with the finding.',
    needsEvents: false,
  },
  open_pull_requests: {
    meaning: 'No claim was admitted over the number of open pull requests that its repository may have, which the claim pinned.',
    remedy:
      'If a row was altered, restore it from a backup. If none was, pause the jobs of the repository and report the defect with the finding.',
    needsEvents: false,
  },
  agreements: {
    meaning: 'No agreement with a named wallet was listed over the number that may be in progress, or with a reward over its cap.',
    remedy: OVERRUN,
    needsEvents: true,
  },
  open_drafts: {
    meaning: 'No wallet drafted a job over the number of open drafts that it may have, which the draft pinned.',
    remedy: 'If a row was altered, restore it from a backup. If none was, report the defect with the finding: no money moved.',
    needsEvents: false,
  },
  recurring_templates: {
    meaning:
      'No recurring template listed more than its reserve or its number of runs allows, and each of its jobs has its terms and a time within its limits.',
    remedy:
      'If a row was altered, restore it from a backup. If none was, pause the template with POST /admin/jobs/pause and report the defect with the finding.',
    needsEvents: false,
  },
  unpaid_runs: {
    meaning: 'No payer bought a run of verification over the number that may be unpaid at a time.',
    remedy: 'If a row was altered, restore it from a backup. If none was, report the defect with the finding.',
    needsEvents: false,
  },
} as const satisfies Record<string, AuditCheck>

export type AuditCheckName = keyof typeof AUDIT_CHECKS
export const AUDIT_CHECK_NAMES = Object.keys(AUDIT_CHECKS) as AuditCheckName[]
