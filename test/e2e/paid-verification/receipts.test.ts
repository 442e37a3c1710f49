// The receipt of a run that a stranger bought, read and checked by another stranger.
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { runKeyOf } from '../../../activities/paid-verification/secrets.ts'
import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import type { RunView } from '../../../schemas/paid-verification/shapes.ts'
import type { RunReceipt } from '../../../schemas/receipts/run.ts'
import { eventually } from '../../support/eventually.ts'
import { useWorld } from '../support/world.ts'
import { buyRun } from './buying.ts'

const world = useWorld()
let run: RunView
let text: string
let receipt: RunReceipt

beforeAll(async () => {
  const { body } = await buyRun(world())
  const path = new URL(body.runUrl).pathname
  run = await eventually(
    'the run is complete',
    async () => (await world().expectCall(200, path)) as RunView,
    ({ status }) => status === 'complete',
  )
  text = await (await fetch(`${world().base}/receipts/${run.receiptId}`)).text()
  receipt = JSON.parse(text)
})

/** The command of the checker; it fetches the key set of the service. */
const verify = async (place: string, ...more: string[]) =>
  promisify(execFile)(process.execPath, ['examples/verify-record/verify-record.ts', place, ...more]).then(
    ({ stdout }) => ({ status: 0, text: stdout }),
    ({ code, stdout, stderr }) => ({ status: code as number, text: `${stdout}${stderr}` }),
  )

const saved = (record: object): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'receipt-')), 'receipt.json')
  writeFileSync(path, JSON.stringify(record))
  return path
}

describe('the receipt of a bought run', () => {
  test('is named by the run, and served to anyone, immutable and in canonical form', async () => {
    expect(new URL(run.receiptUrl ?? '').pathname).toBe(`/receipts/${run.receiptId}`)
    const answer = await fetch(`${world().base}/receipts/${run.receiptId}`)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect(text).toBe(canonicalJson(receipt))
    const { receiptId, canonicalUrl: _url, signers: _signers, signature: _signature, ...content } = receipt
    expect(sha256Of(content)).toBe(receiptId)
  })

  test('says what the run says', () => {
    const { verdict, execution, billing } = run
    expect(receipt).toMatchObject({
      worker: run.customer.toLowerCase(),
      intent: { specHash: run.requestHash, specSource: 'verify_request' },
      verifier: { profile: run.profile, profileVersion: run.profileVersion, profileDigest: run.profileDigest },
      verdict: { outcome: verdict },
      payment: { network: billing.network, amountRaw: billing.amountRaw, transactionHash: billing.transactionHash ?? null },
    })
    expect(receipt.execution.checks.map(({ name }) => name)).toEqual(execution?.checks.map(({ id }) => id))
  })

  test('holds neither the id of its run nor what the service calls it', () => {
    expect(text).not.toContain(run.runId)
    expect(text).not.toContain(runKeyOf(run.runId))
  })

  test('has a page for people', async () => {
    const page = await (await fetch(`${world().base}/receipts/${run.receiptId}`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('<h1>Work receipt')
    for (const shown of [run.profile, String(run.requestHash), 'Verify it yourself']) expect(page).toContain(shown)
    expect(page).not.toContain(run.runId)
  })

  test('is found sound by the checker, which says what it attests', async () => {
    const { status, text: report } = await verify(`${world().base}/receipts/${run.receiptId}`)
    expect(report).toContain('Sound: a work receipt of a paid run')
    expect(report).toContain(`${receipt.verdict.outcome} (${receipt.verdict.reasonCode})`)
    expect(status).toBe(0)
  })

  test.each<[string, (copy: RunReceipt) => object]>([
    ['another amount', ({ payment }) => Object.assign(payment, { amountRaw: '1' })],
    ['another verdict', ({ verdict }) => Object.assign(verdict, { outcome: verdict.outcome === 'approved' ? 'rejected' : 'approved' })],
    ['an added member', (copy) => Object.assign(copy, { sessionId: 'x' })],
  ])('is refused by the checker with %s', async (_what, change) => {
    const copy = structuredClone(receipt)
    change(copy)
    const { status, text: report } = await verify(saved(copy), '--jwks', `${world().base}/.well-known/jwks.json`)
    expect([status, report.slice(0, 10)]).toEqual([1, 'Not sound:'])
  })
})
