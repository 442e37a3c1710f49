import type { RunReceiptFacts } from '../../../../domain/receipts/run-receipt.ts'
import { NOW } from '../../builders/job.ts'
import { hash, party } from '../../builders/receipt.ts'

export const ARTEFACTS = [
  { role: 'output', sha256: '1'.repeat(64), bytes: 812 },
  { role: 'sources/0', sha256: '2'.repeat(64), bytes: 4_096 },
]

const CHECKS = [
  { id: 'schema-valid', passed: true, detail: 'The output fits its schema.' },
  { id: 'quotes-verbatim', passed: true, detail: 'All 4 quotes stand in their sources.' },
]

/** A run that was approved and paid; changes say what is different. */
export const runFacts = (changes: Partial<RunReceiptFacts> = {}): RunReceiptFacts => ({
  profile: {
    name: 'structured-output-evidence-v1',
    version: 1,
    digest: hash('d'),
    handler: 'structured_output_evidence',
    handlerVersion: 1,
    timeoutMs: 30_000,
  },
  requestHash: hash('e'),
  isRequestBound: true,
  payer: party('a'),
  target: {},
  outcome: 'approved',
  reason: null,
  checks: CHECKS,
  artefacts: ARTEFACTS,
  evidenceHash: hash('f'),
  environment: null,
  network: 'eip155:31337',
  asset: { address: party('b'), symbol: 'USDC', decimals: 6 },
  amountRaw: 5_000_000n,
  txHash: hash('c'),
  submittedAt: NOW,
  executedAt: NOW + 2_000,
  publicBaseUrl: 'https://work.example',
  ...changes,
})

/** Every way in which a run with a receipt ends. */
export const RUN_ENDS = {
  approved: {},
  rejected: { outcome: 'rejected', checks: CHECKS.map((check) => ({ ...check, passed: check.id === 'schema-valid' })) },
  'not billed': {
    outcome: 'inconclusive',
    reason: 'artefact_unavailable',
    checks: CHECKS.map(({ id }) => ({ id, passed: null, detail: 'sources/0: https://files.example/a.txt?key=s3cret answers 404' })),
    artefacts: ARTEFACTS.slice(0, 1),
    txHash: null,
  },
  'inconclusive, and sent by another account': {
    outcome: 'inconclusive',
    reason: 'flaky',
    checks: CHECKS.map((check) => ({ ...check, passed: null })),
  },
} as const satisfies Record<string, Partial<RunReceiptFacts>>
export type RunEnd = keyof typeof RUN_ENDS
export const runEnds = Object.keys(RUN_ENDS) as RunEnd[]
