import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { keccak256 as keccakOfViem, toHex as toHexOfViem } from 'viem'
import { loadVerifierModules } from '../../api/discovery/pages/verify-page.ts'
import { verificationContract } from '../../domain/catalogue/verification-contract.ts'
import { chainJobId, sessionId } from '../../domain/common/ids.ts'
import { buildBadge } from '../../domain/reputation/badge.ts'
import { checkRecord, type Evidence } from '../../examples/verify-record/check.ts'
import { canonical, sha256Of, toHex } from '../../examples/verify-record/encoding/json.ts'
import { keccak256 } from '../../examples/verify-record/encoding/keccak.ts'
import { DisputeFileShape } from '../../schemas/disputes/file.ts'
import { WorkReceiptShape } from '../../schemas/receipts/shapes.ts'
import { badgeFacts } from '../domain/builders/badge.ts'
import { builtJob, jobBody, NOW } from '../domain/builders/job.ts'
import { type End, ends } from '../domain/builders/receipt.ts'
import { DISPUTED, type Document, type Records, SIGNED_AT, signedRecords, signWith } from './support/records.ts'

let { key, evidence, receipts, files } = {} as Records
let sign: ReturnType<typeof signWith>

beforeAll(async () => {
  ;({ key, evidence, receipts, files } = await signedRecords())
  sign = signWith(key)
})

const check = (record: unknown, changes: Partial<Evidence> = {}) => checkRecord(record, { ...evidence, ...changes })

test('keccak256 is that of Ethereum', () => {
  for (const length of [0, 1, 135, 136, 137, 271, 272, 1_000]) {
    const bytes = Uint8Array.from({ length }, (_, place) => place * 7)
    expect(toHex(keccak256(bytes))).toBe(keccakOfViem(toHexOfViem(bytes)))
  }
})

describe('a work receipt', () => {
  test.each(ends)('of an ending is sound, with its sums and its path: %s', async (end) => {
    const receipt = receipts.get(end)
    expect(WorkReceiptShape.parse(receipt)).toEqual(receipt)
    const report = await check(receipt)
    expect(report).toMatchObject({ kind: 'work receipt', key: { kid: 'badge-1', signedAt: SIGNED_AT, retiredAt: null } })
    expect(report.settlement?.mined?.at).toBe(Math.floor((NOW + 2_000) / 1_000) * 1_000)
  })

  test('is sound with its members in another order', async () => {
    await check(Object.fromEntries(Object.entries(receipts.get('approved')).toReversed()))
  })
})

describe('a dispute file', () => {
  test.each(DISPUTED)('of an ending is sound, with its split computed again: %s', async (end) => {
    const file = files.get(end)
    expect(DisputeFileShape.parse(file)).toEqual(file)
    const { proves } = await check(file)
    const part = { dismissed: '2 USDC', split: '0.8 USDC', upheld: '0 USDC' }[end as string] ?? '1 USDC'
    expect(proves).toContainEqual(expect.stringContaining(`of 2 USDC in the escrow ${part} went to the worker's side`))
  })
})

describe('a job definition', () => {
  const { definition, expectedOutputs } = builtJob(jobBody({ verifierMode: 'deterministic', verifierTerms: ['Straße  12', '42'] }))
  const served = { ...definition, verificationContract: verificationContract(definition), expectedOutputs }
  const bare = { chainId: null, heads: [] }

  test('is sound where its expected outputs open its commitments', async () => {
    const report = await check(served, bare)
    expect(report).toMatchObject({ kind: 'job definition', key: null })
    expect(report.proves[0]).toContain(`its 2 expected outputs are those that the verifier config with the hash`)
  })

  test.each<[string, object, RegExp]>([
    ['another value', { expectedOutputs: [{ ...expectedOutputs[0], value: 'Straße 13' }, expectedOutputs[1]] }, /not the one/],
    ['another salt', { expectedOutputs: [{ ...expectedOutputs[0], salt: `0x${'0'.repeat(64)}` }, expectedOutputs[1]] }, /not the one/],
    ['its values in another order', { expectedOutputs: expectedOutputs.toReversed() }, /not the one/],
    ['one value less', { expectedOutputs: expectedOutputs.slice(1) }, /another number/],
    ['no values yet', { expectedOutputs: undefined }, /once its job cannot be claimed/],
    ['another config', { verifierConfig: { ...definition.verifierConfig, matchMode: 'contains_all' } }, /not that of its hash/],
  ])('is refused with %s', async (_what, changes, why) => {
    await expect(check({ ...served, ...changes }, bare)).rejects.toThrow(why)
  })
})

/** Changes a copy of a record. */
const altered = (record: Document, change: (copy: Document) => void): Document => {
  const copy = structuredClone(record)
  change(copy)
  return copy
}
/** The same with its id and its signature made again by the service's own key: only the rule can refuse it. */
const forged = async (receipt: Document, change: (copy: Document) => void, at = SIGNED_AT): Promise<Document> => {
  const { signature: _old, receiptId: _id, canonicalUrl: _url, signers, ...content } = altered(receipt, change)
  const receiptId = await sha256Of(content)
  return sign({ ...content, signers, receiptId, canonicalUrl: `https://work.example/receipts/${receiptId}` }, at)
}
const forgedFile = (file: Document, change: (copy: Document) => void, at = SIGNED_AT): Promise<Document> => {
  const { signature: _old, ...content } = altered(file, change)
  return sign(content, at)
}

/** Makes a receipt that of another job or worker, with all that follows from them. */
const isOf = (receipt: Document, jobId: string, worker: string): void => {
  Object.assign(receipt, { jobId, worker, chainJobId: chainJobId(jobId), sessionId: sessionId(jobId, worker) })
  receipt.execution.provider = receipt.signers[1].wallet = worker
}

describe('a tampered receipt', () => {
  test.each<[string, End, (receipt: Document) => void, RegExp]>([
    ['its outcome', 'rejected', (r) => (r.verdict.outcome = 'approved'), /approves work without a settlement/],
    ['a check', 'approved', (r) => (r.verdict.items[1].result = 'unmet'), /over unmet checks: terms_found/],
    ['its checks', 'approved', (r) => (r.verdict.items = []), /without a check/],
    ['the checks of a rejection', 'rejected', (r) => (r.verdict.items[1].result = 'met'), /rejects work without an unmet check/],
    ['the evidence of its verdict', 'approved', (r) => (r.verdict.evidenceHash = `0x${'7'.repeat(64)}`), /other evidence/],
    ['its share', 'dismissed', (r) => (r.resolution.workerShareBps = 9_000), /gives the worker everything/],
    ['its payout', 'approved', (r) => (r.settlement.workerAmountRaw = '1960000'), /sum of its parts/],
    [
      'its payout and total',
      'split',
      (r) => Object.assign(r.settlement, { workerAmountRaw: '900000', posterTotalAmountRaw: '940000' }),
      /not what its decision gives/,
    ],
    [
      'its fee and total',
      'approved',
      (r) => Object.assign(r.settlement, { protocolFeeAmountRaw: '90000', posterTotalAmountRaw: '2090000' }),
      /fee is not its part/,
    ],
    ['its total', 'approved', (r) => (r.settlement.posterTotalAmountRaw = '2200000'), /total of the poster/],
    ['its reward', 'approved', (r) => (r.settlement.rewardAmountRaw = '3000000'), /reward is not the value|not what its decision/],
    ['an amount in whole units', 'approved', (r) => (r.settlement.workerAmount = '19.5'), /whole units/],
    [
      'retained gas of waived work',
      'approved',
      (r) => {
        r.settlement.waived = true
        r.verdict.policyTags.unshift('bond_waived')
      },
      /gas where none is due/,
    ],
    ['its payee', 'approved', (r) => (r.settlement.worker = `0x${'6'.repeat(40)}`), /pays another wallet/],
    ['its worker', 'rejected', (r) => isOf(r, r.jobId, `0x${'6'.repeat(40)}`), /event is of another worker/],
    ['its job', 'rejected', (r) => isOf(r, 'job-2', r.worker), /event is of another job/],
    ['its treasury', 'approved', (r) => (r.settlement.treasuryAccount = `0x${'6'.repeat(40)}`), /names other accounts/],
    ['its transaction', 'approved', (r) => (r.settlement.settlementTx = `0x${'6'.repeat(64)}`), /another transaction than its proof/],
    [
      'the data of its event',
      'approved',
      (r) => (r.settlementProof.event.data = `${r.settlementProof.event.data.slice(0, -2)}00`),
      /no such event/,
    ],
    ['its block', 'approved', (r) => (r.settlementProof.blockHash = `0x${'6'.repeat(64)}`), /header has another hash/],
    ['the number of its block', 'approved', (r) => (r.settlementProof.blockNumber = '10'), /another number/],
    ['the root of its block', 'approved', (r) => (r.settlementProof.inclusion.receiptsRoot = `0x${'6'.repeat(64)}`), /another root/],
    ['a node of its path', 'approved', (r) => (r.settlementProof.inclusion.nodes = ['0xc0']), /does not lead/],
    ['its place in the block', 'approved', (r) => (r.settlementProof.inclusion.transactionIndex = 1), /does not lead/],
    ['an added member', 'approved', (r) => (r.verdict.bonus = '1'), /\/verdict\/bonus is no member/],
    ['a missing member', 'approved', (r) => delete r.intent.deadline, /\/intent\/deadline is missing/],
    ['a settlement of a rejection', 'upheld', (r) => (r.settlement = receipts.get('approved').settlement), /gives the worker nothing/],
    ['its date', 'approved', (r) => (r.timestamps.verifiedAt = new Date(NOW + 90_000).toISOString()), /backdated/],
  ])('is refused for %s, even with a true signature', async (_what, end, change, reason) => {
    await expect(check(await forged(receipts.get(end), change))).rejects.toThrow(reason)
  })

  test('is refused for any single value by its id, and for the rest by its signature', async () => {
    const receipt = receipts.get('approved')
    await expect(check(altered(receipt, (r) => (r.verdict.reasonCode = 'OTHER')))).rejects.toThrow(/id is not the hash/)
    await expect(check(altered(receipt, (r) => (r.canonicalUrl = r.canonicalUrl.replace('work', 'other'))))).rejects.toThrow(
      /signature does not fit/,
    )
    await expect(check(altered(receipt, (r) => (r.canonicalUrl = 'https://work.example/receipts/0x1')))).rejects.toThrow(
      /names another receipt/,
    )
  })

  test('is refused when its event is not alone responsible for the gas', async () => {
    const change = (r: Document) =>
      Object.assign(r.settlement, {
        gasRetentionAmountRaw: '0',
        gasRetentionAmount: '0',
        gasRetentionBps: 0,
        workerAmountRaw: '2000000',
        workerAmount: '2',
      })
    await expect(check(await forged(receipts.get('approved'), change))).rejects.toThrow(/pays the worker another amount/)
  })
})

describe('a tampered dispute file', () => {
  test.each<[string, (file: Document) => void, RegExp]>([
    ['what the escrow held', (f) => Object.assign(f.remaining, { raw: '1900000', display: '1.9' }), /share of the worker/],
    [
      'its decided amount',
      (f) => Object.assign(f.rounds[0].workerPayout, { raw: '700000', display: '0.7' }),
      /paid what its verdict and its receipt do not give/,
    ],
    ['its terms', (f) => (f.terms.specDefinition.title = 'Other'), /terms are not those of their hash/],
    ['the hash of its terms', (f) => (f.terms.specHash = `0x${'6'.repeat(64)}`), /receipt is of other terms/],
    ['its definition', (f) => (f.terms.definition.title = 'Other'), /definition is not that/],
    ['its submission', (f) => (f.submission.content.output = 'Other.'), /submission is not that/],
    ['the hash of its submission', (f) => (f.submission.evidenceHash = `0x${'6'.repeat(64)}`), /another submission/],
    ['its poster', (f) => (f.poster = `0x${'6'.repeat(40)}`), /another poster/],
    ['its reward', (f) => Object.assign(f.terms.reward, { raw: '3000000', display: '3' }), /reward is not that of its receipt/],
    ['its asset', (f) => (f.terms.asset.address = `0x${'6'.repeat(40)}`), /asset is not that of the settlement/],
    ['the decimals of an amount', (f) => (f.remaining.decimals = 18), /of another asset/],
    ['an amount in whole units', (f) => (f.remaining.display = '20'), /whole units/],
    ['its bond', (f) => (f.terms.waived = true), /terms are not those of the settlement/],
    ['its decisions', (f) => (f.rounds = []), /last decision is not that/],
    ['its last decision', (f) => (f.rounds[0].verdict = 'dismissed'), /last decision is not that/],
    ['its worker', (f) => (f.worker = `0x${'6'.repeat(40)}`), /another worker/],
    ['its chain', (f) => (f.chainId = 1), /another chain/],
    ['its receipt', (f) => (f.receipt.verdict.reasonCode = 'OTHER'), /id is not the hash/],
    ['an entry of its history', (f) => (f.log[1].reason = 'other'), /entry_altered/],
    ['a missing entry', (f) => f.log.splice(2, 1), /entry_missing/],
    ['the end of its history', (f) => f.log.pop(), /ends otherwise than its receipt/],
    ['an added member', (f) => (f.rounds[0].comment = 'x'), /is no member/],
  ])('is refused for %s, even with a new signature', async (_what, change, reason) => {
    await expect(check(await forgedFile(files.get('split'), change))).rejects.toThrow(reason)
  })

  test('is refused for any other value by its signature', async () => {
    await expect(check(altered(files.get('split'), (f) => (f.rounds[0].by = 'system:other')))).rejects.toThrow(/signature does not fit/)
  })

  test('is refused when it is older than its receipt', async () => {
    const before = new Date(NOW + 30_000).toISOString()
    await expect(check(await forgedFile(files.get('split'), () => undefined, before))).rejects.toThrow(
      /before its receipt: it is backdated/,
    )
  })
})

describe('a record of another key, date or chain', () => {
  const windowed = (changes: object): Partial<Evidence> => ({ keySet: { keys: [{ ...key.jwk, ...changes }] } })
  const at = (offset: number) => new Date(Date.parse(SIGNED_AT) + offset).toISOString()

  test.each<[string, Partial<Evidence> | (() => Partial<Evidence>), RegExp]>([
    ['of a key that was retired before', () => windowed({ validFrom: at(-9), retiredAt: at(-1) }), /after the key badge-1 was retired/],
    ['of a key that was not valid yet', () => windowed({ validFrom: at(1), retiredAt: null }), /before the key badge-1 was valid/],
    ['of a key that signs no records', () => windowed({}), /signs no records/],
    [
      'of a key whose window has no day of any calendar',
      () => windowed({ validFrom: '2026-13-45T99:99:99.999Z', retiredAt: null }),
      /is no instant/,
    ],
    ['of an unknown key', { keySet: { keys: [] } }, /no signing key badge-1/],
    ['of another chain', { chainId: 1 }, /of the chain 31337, not 1/],
  ])('%s is refused', async (_what, changes, reason) => {
    const given = typeof changes === 'function' ? changes() : changes
    await expect(check(receipts.get('approved'), given)).rejects.toThrow(reason)
    await expect(check(files.get('split'), given)).rejects.toThrow(reason)
  })

  test('that is dated before its settlement is refused', async () => {
    await expect(check(await forged(receipts.get('approved'), () => undefined, new Date(NOW + 100).toISOString()))).rejects.toThrow(
      /backdated/,
    )
  })
})

test('a badge that is dated on no day of the calendar is refused, even with a true signature', async () => {
  const badge = await sign(buildBadge(badgeFacts()), '2026-13-45T99:99:99.999Z')
  await expect(check(badge, { chainId: null })).rejects.toThrow(/is no instant/)
})

test('a split that gives the worker everything owes the whole fee, with its minimum', async () => {
  const whole = (r: Document) => {
    Object.assign(r.resolution, { verdict: 'split', workerShareBps: 10_000 })
    r.verdict.reasonCode = 'DISPUTE_PARTIAL'
  }
  await check(await forged(receipts.get('dismissed'), whole))
})

describe('the command and the page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'records-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const file = (name: string, content: unknown): string => {
    const path = join(directory, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  test('check a file without a network, and say what is proved and what not', () => {
    const args = [
      'examples/verify-record/verify-record.ts',
      file('file.json', files.get('split')),
      '--jwks',
      file('keys.json', evidence.keySet),
    ]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Sound: a dispute file') })
    expect(stdout).toContain('It does not prove:')
  })

  test.each<[string, Record<string, unknown>, number, RegExp]>([
    ['has the block and the transaction', {}, 0, /has that block and transaction in its chain 31337/],
    ['is of another chain', { eth_chainId: '0x1' }, 1, /node is of another chain/],
    ['has another block at the number', { eth_getBlockByNumber: { hash: '0x00' } }, 1, /has another block 9/],
    ['does not have the transaction', { eth_getTransactionReceipt: null }, 1, /does not have its transaction/],
    ['has not come to the block', { eth_getBlockByNumber: null }, 2, /has no block 9 yet/],
  ])('ask a node that %s', async (_what, changes, status, text) => {
    const receipt = receipts.get('approved')
    const { blockHash } = receipt.settlementProof
    const answers = {
      eth_chainId: '0x7a69',
      eth_getBlockByNumber: { hash: blockHash },
      eth_getTransactionReceipt: { blockHash, status: '0x1' },
      ...changes,
    }
    const node = createServer(async (request, response) => {
      const { method } = JSON.parse(await textOf(request)) as { method: keyof typeof answers }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answers[method] }))
    })
    await once(node.listen(0, '127.0.0.1'), 'listening')
    const rpc = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
    const options = ['--jwks', file('keys.json', evidence.keySet), '--rpc', rpc]
    const command = spawn(process.execPath, ['examples/verify-record/verify-record.ts', file('receipt.json', receipt), ...options])
    const chunks: Buffer[] = []
    for (const output of [command.stdout, command.stderr]) output.on('data', (chunk: Buffer) => chunks.push(chunk))
    const [code] = await once(command, 'close')
    node.close()
    expect([code, Buffer.concat(chunks).toString()]).toEqual([status, expect.stringMatching(text)])
  })

  test('are the same: the served modules find the same', async () => {
    for (const [name, text] of loadVerifierModules())
      writeFileSync(join(directory, `${name}.mjs`), text.replaceAll(/'\.\/([\w-]+)\.ts'/g, "'./$1.mjs'"))
    const served: typeof import('../../examples/verify-record/check.ts') = await import(join(directory, 'check.mjs'))
    for (const record of [...receipts.values(), ...files.values()])
      expect(canonical(await served.checkRecord(record, evidence))).toBe(canonical(await check(record)))
    await expect(
      served.checkRecord(
        altered(receipts.get('approved'), (r) => (r.worker = WORKER_ZERO)),
        evidence,
      ),
    ).rejects.toThrow(/\/worker is malformed/)
  })
})
const WORKER_ZERO = `0x${'0'.repeat(40)}`
