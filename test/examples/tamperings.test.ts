// Forgeries of every kind of record, taken from the documents alone: schemas, specification and the rules of each record.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { keccakOf, sha256Of } from '../../domain/common/hashes.ts'
import { sessionId } from '../../domain/common/ids.ts'
import { receiptIdOf } from '../../domain/receipts/work-receipt.ts'
import { buildBadge } from '../../domain/reputation/badge.ts'
import { headHash, listHash } from '../../domain/session-log/faults.ts'
import { entryHash, type LogEntry } from '../../domain/sessions/log-entry.ts'
import { decisionItems } from '../../domain/sessions/verdict-items.ts'
import { checkRecord, type Evidence } from '../../examples/verify-record/check.ts'
import { parseStrict, Refused, toHex } from '../../examples/verify-record/encoding/json.ts'
import { keccak256 } from '../../examples/verify-record/encoding/keccak.ts'
import { fromHex } from '../../examples/verify-record/encoding/rlp.ts'
import type { SessionStatus } from '../../schemas/sessions/record.ts'
import { badgeFacts } from '../domain/builders/badge.ts'
import { HISTORY, historyOf, ID, rewritten } from '../domain/builders/history.ts'
import { NOW } from '../domain/builders/job.ts'
import { type End, ends, MISSED } from '../domain/builders/receipt.ts'
import { contradictions } from './support/contradictions.ts'
import { DISPUTED, type Document, headsOf, newKey, type Records, SIGNED_AT, signedRecords, signWith } from './support/records.ts'
import { setCommitments, setDuration } from './support/terms.ts'

const OTHER = `0x${'6'.repeat(40)}`
const HASH = `0x${'7'.repeat(64)}`
const LATE = '2026-03-05T00:00:00.000Z'
const FUTURE = '2999-01-01T00:00:00.000Z'

let records: Records
let sign: ReturnType<typeof signWith>
let signAsAnother: ReturnType<typeof signWith>

beforeAll(async () => {
  records = await signedRecords()
  sign = signWith(records.key)
  signAsAnother = signWith(await newKey())
})

type Change = (copy: Document) => unknown
/** A record as text, and what is different in the evidence. */
interface Forgery {
  text: string
  evidence?: Partial<Evidence>
}
const ours = (): typeof sign => sign
const theirs = (): typeof sign => signAsAnother

const copied = (record: Document, change: Change): Document => {
  const copy = structuredClone(record)
  change(copy)
  return copy
}
const unsigned = ({ signature: _signature, ...content }: Document): Document => content
const textOf = (record: unknown): Forgery => ({ text: JSON.stringify(record) })

const badge = async (change: Change, by = ours, at = SIGNED_AT): Promise<Forgery> => ({
  ...textOf(await by()(unsigned(copied(records.badge, change)), at)),
  evidence: { chainId: null },
})

/** The badge of work that a dispute decided. */
const disputed = async (kind: 'arbitration' | 'timeout', change: Change): Promise<Forgery> => {
  const decision = { kind, verdict: 'split', workerShareBps: kind === 'timeout' ? 5_000 : 4_000 } as const
  const facts = { handler: null, resolution: decision, replacedVerdict: MISSED, items: decisionItems(decision), rewardRaw: 1_000_000n }
  return { ...textOf(await sign(copied(buildBadge(badgeFacts(facts)), change))), evidence: { chainId: null } }
}

/** A receipt with its id and address made again. */
const remade = async (receipt: Document, by: typeof sign, at = SIGNED_AT): Promise<Document> => {
  const receiptId = receiptIdOf(unsigned(receipt))
  const canonicalUrl = receipt.canonicalUrl.replace(/0x\w{64}/, receiptId)
  return by({ ...unsigned(receipt), receiptId, canonicalUrl }, at)
}
const receipt = async (end: End, change: Change, by = ours, at = SIGNED_AT): Promise<Forgery> =>
  textOf(await remade(copied(records.receipts.get(end), change), by(), at))

/** Entries with numbers as they are and hashes that fit. */
const rehashed = (log: Document[]): Document[] => {
  const made: Document[] = []
  for (const { hash: _hash, ...entry } of log) {
    const content = { ...entry, previousHash: made.at(-1)?.hash ?? null }
    made.push({ ...content, hash: entryHash(content) })
  }
  return made
}
/** A file with its receipt, history and hashes of terms made again. */
const file = async (end: End, change: Change, by = ours, at = SIGNED_AT): Promise<Forgery> => {
  const copy = copied(records.files.get(end), change)
  copy.receipt.intent.specHash = copy.terms.specHash = keccakOf(copy.terms.specDefinition)
  copy.terms.definitionHash = keccakOf(copy.terms.definition)
  copy.receipt = await remade(copy.receipt, sign)
  if (copy.log.length > 0) copy.log.at(-1).metadata.receiptId = copy.receipt.receiptId
  return textOf(await by()(unsigned({ ...copy, log: rehashed(copy.log) }), at))
}

const published = () => headsOf([HISTORY.slice(0, 2), HISTORY.slice(2)], '2026-03-02', sign)
const NOW_WITH_HEADS = Date.parse('2026-03-06T00:00:00.000Z')
const withHeads = async (record: unknown, saved: Document[]): Promise<Forgery> => ({
  ...textOf(record),
  evidence: { now: NOW_WITH_HEADS, heads: saved },
})
/** A history with hashes made again, against the heads of the true one. */
const history = async (change: Change): Promise<Forgery> =>
  withHeads({ log: rehashed(copied({ log: HISTORY }, (copy) => change(copy.log)).log) }, await published())
/** The same without new hashes, or with other members beside it. */
const timeline = async (change: Change): Promise<Forgery> => withHeads(copied({ log: HISTORY }, change), await published())
/** A published claim that goes on with an entry that no head has yet. */
const endedAt = async (to: SessionStatus, at: string, recordedAt: string | null = null): Promise<Forgery> => {
  const [first] = HISTORY as [LogEntry]
  const content = { ...first, seq: 2, from: first.to, to, at, recordedAt, previousHash: first.hash }
  const saved = await headsOf([[first], []], '2026-03-02', sign)
  return withHeads({ log: [first, { ...content, hash: entryHash(content) }] }, saved)
}
/** The true history, against heads that were changed and signed again, each with the hash of the one before. */
const heads = async (change: (saved: Document[]) => unknown, by = ours): Promise<Forgery> => {
  const saved: Document[] = structuredClone(await published()) as Document[]
  change(saved)
  for (const [place, { head, entries, signedAt }] of saved.entries()) {
    const previous = place === 0 ? null : headHash(saved[place - 1].head)
    const list = entries.map(({ hash, previousHash }: Document) => ({ hash, previousHash }))
    saved[place] = { head: await by()({ ...unsigned(head), previous, entriesHash: listHash(list) }, signedAt ?? head.sealedAt), entries }
  }
  return withHeads({ log: HISTORY }, saved)
}

/** The true badge as text with one change of its digits or letters. */
const badgeText = async (from: string, to: string): Promise<Forgery> => {
  const { text, evidence } = await badge(() => undefined)
  expect(text).toContain(from)
  return { text: text.replace(from, to), ...(evidence && { evidence }) }
}
/** A true receipt against a key set that was changed. */
const keySet = async (change: (key: Document) => unknown): Promise<Forgery> => {
  const { keys } = records.evidence.keySet as { keys: Document[] }
  const copy = structuredClone(keys)
  change(copy[0])
  return { ...textOf(records.receipts.get('approved')), evidence: { keySet: { keys: copy } } }
}
/** A true record that was changed without a new signature. */
const kept = async (record: () => Document, change: Change): Promise<Forgery> => textOf(copied(record(), change))
const approved = () => records.receipts.get('approved')
const split = () => records.files.get('split')

/** RLP of lists in lists, as hex. */
const nested = (depth: number): string => {
  let hex = ''
  for (let level = 0; level < depth; level += 1) {
    const size = hex.length / 2
    const digits = size.toString(16).padStart(6, '0')
    hex = `${size < 56 ? (0xc0 + size).toString(16) : `fa${digits}`}${hex}`
  }
  return `0x${hex}`
}

const withHeader = (proof: Document, header: string): void => {
  proof.inclusion.header = header
  proof.blockHash = toHex(keccak256(fromHex(header)))
}

type Row = [string, () => Promise<Forgery>]

const BADGES: Row[] = [
  ['a chainJobId of another job', () => badge((b) => (b.service.chainJobId = HASH))],
  ['another jobId', () => badge((b) => (b.service.jobId = 'job-2'))],
  ['the session of another worker', () => badge((b) => (b.service.sessionId = sessionId('job-1', OTHER)))],
  ['the session of another job', () => badge((b) => (b.service.sessionId = b.service.sessionId.replace('job-1', 'job-2')))],
  ['a first attempt with a number', () => badge((b) => (b.service.sessionId += ':1'))],
  ['a session id in lower case', () => badge((b) => (b.service.sessionId = b.service.sessionId.toLowerCase()))],
  ['another worker', () => badge((b) => (b.service.worker = OTHER))],
  ['half a level', () => badge((b) => (b.service.level = 1.5))],
  ['level 0', () => badge((b) => (b.service.level = 0))],
  ['a level as text', () => badge((b) => (b.service.level = '1'))],
  ['an instant without milliseconds', () => badge((b) => (b.service.completedAt = '2026-03-01T12:00:02Z'))],
  ['an instant with an offset', () => badge((b) => (b.service.completedAt = '2026-03-01T12:00:02.000+00:00'))],
  ['an instant as a number', () => badge((b) => (b.service.completedAt = NOW))],
  ['a completion after its signature', () => badge((b) => (b.service.completedAt = LATE))],
  ['a signature in 2999', () => badge(() => undefined, ours, FUTURE)],
  ['a signature that is dated without milliseconds', () => badge(() => undefined, ours, '2026-03-01T12:01:00Z')],
  ['a mode that badges do not have', () => badge((b) => (b.service.verifierMode = 'codehost_pr'))],
  ['the mode of a machine where a person decided', () => badge((b) => (b.resolution.kind = 'human_review'))],
  [
    'work that was rejected',
    () => badge((b) => Object.assign(b.resolution, { kind: 'arbitration', verdict: 'upheld', workerShareBps: 0 })),
  ],
  ['half the share of an approval', () => badge((b) => (b.resolution.workerShareBps = 5_000))],
  ['no check', () => badge((b) => (b.items = []))],
  ['an unmet check', () => badge((b) => (b.items[0].result = 'unmet'))],
  ['evidence of a check that does not apply', () => badge((b) => (b.items[0].result = 'not_applicable'))],
  ['a check that no verifier has', () => badge((b) => (b.items[0].criterion = 'looks_good'))],
  ['a reward of another asset than its bond', () => badge((b) => (b.service.reward.asset = 'WBTC'))],
  ['a reward with other decimals than its bond', () => badge((b) => (b.service.reward.decimals = 0))],
  ['a reward with a zero in front', () => badge((b) => (b.service.reward.amount = '02000000'))],
  ['a reward as a number', () => badge((b) => (b.service.reward.amount = 2_000_000))],
  ['the address of another badge', () => badge((b) => (b.service.metadataURI = 'https://work.example/badges/job-2'))],
  ['an attribute of another level', () => badge((b) => (b.attributes[1].value = 9))],
  ['a name of another level', () => badge((b) => (b.name = b.name.replace('level 1', 'level 9')))],
  ['a member that service does not have', () => badge((b) => (b.service.bonus = '1'))],
  ['another wallet as its signer', () => badge((b) => (b.signers[1].wallet = OTHER))],
  ['no poster among its signers', () => badge((b) => b.signers.shift())],
  ['an unknown poster that signs', () => badge((b) => (b.service.poster = `0x${'0'.repeat(40)}`))],
  ['a verifier that signed at another time', () => badge((b) => (b.signers[2].at = '2026-03-01T12:00:01.000Z'))],
  ['another version', () => badge((b) => (b.service.schemaVersion = 'v2'))],
  ['a version of another kind', () => badge((b) => (b.schemaVersion = 'service.work-receipt.v1'))],
  [
    'a replaced verdict of the same outcome',
    () => badge((b) => (b.resolution.replacedVerdict = { outcome: 'approved', reasonCode: 'OK', resolvedAt: SIGNED_AT, items: b.items })),
  ],
]

const RECEIPTS: Row[] = [
  ['a claim after its verdict', () => receipt('approved', (r) => (r.timestamps.claimedAt = '2026-03-01T12:00:30.000Z'))],
  ['a submission before its claim', () => receipt('approved', (r) => (r.timestamps.submittedAt = '2026-03-01T11:00:00.000Z'))],
  ['a verdict at another time than its block', () => receipt('approved', (r) => (r.timestamps.verifiedAt = '2026-03-01T12:00:10.000Z'))],
  ['a rejection after it became final', () => receipt('rejected', (r) => (r.timestamps.verifiedAt = '2026-03-01T12:00:10.000Z'))],
  ['a deadline before its submission', () => receipt('approved', (r) => (r.intent.deadline = '2026-03-01T12:00:00.000Z'))],
  ['a date without milliseconds', () => receipt('approved', (r) => (r.timestamps.verifiedAt = '2026-03-01T12:00:02Z'))],
  ['a date of no calendar', () => receipt('approved', (r) => (r.timestamps.claimedAt = '2026-02-30T12:00:00.000Z'))],
  ['a signature in 2999', () => receipt('approved', () => undefined, ours, FUTURE)],
  ['another jobId', () => receipt('approved', (r) => (r.jobId = 'job-2'))],
  ['the session of another worker', () => receipt('rejected', (r) => (r.sessionId = sessionId('job-1', OTHER)))],
  ['a session of another job', () => receipt('upheld', (r) => (r.sessionId = sessionId('job-2', r.worker)))],
  ['another provider than its worker', () => receipt('approved', (r) => (r.execution.provider = OTHER))],
  ['another profile than its terms', () => receipt('approved', (r) => (r.verifier.profile = 'deterministic'))],
  ['the mode of a machine for a verdict on chain', () => receipt('approved on chain', (r) => (r.verifier.mode = 'benchmark'))],
  ['the handler of a machine for an arbitration', () => receipt('dismissed', (r) => (r.verifier.handler = 'benchmark'))],
  ['a reviewer as handler of a verifier', () => receipt('approved', (r) => (r.verifier.handler = 'human_review'))],
  ['an approval by arbitration', () => receipt('approved', (r) => (r.resolution.kind = 'arbitration'))],
  ['an approval without an outcome', () => receipt('approved', (r) => (r.verdict.outcome = 'inconclusive'))],
  [
    'an approval by time-out',
    () =>
      receipt('timed out', (r) =>
        Object.assign(r.verdict, { outcome: 'approved', items: [{ criterion: 'terms_found', result: 'met', evidence: '/x' }] }),
      ),
  ],
  ['a slashed bond of approved work', () => receipt('approved', (r) => (r.verdict.workerConsequence = 'stake_slashed'))],
  ['no consequence of a rejection', () => receipt('rejected', (r) => (r.verdict.workerConsequence = 'none'))],
  ['a missing tag', () => receipt('approved', (r) => r.verdict.policyTags.pop())],
  ['a tag of another decision', () => receipt('approved', (r) => r.verdict.policyTags.push('arbitration'))],
  ['another asset than its terms', () => receipt('approved', (r) => (r.settlement.assetSymbol = 'WBTC'))],
  ['another rate of the gas', () => receipt('approved', (r) => (r.settlement.gasRetentionBps = 1_000))],
  ['a rate as text', () => receipt('approved', (r) => (r.settlement.protocolFeeBps = '500'))],
  ['version 0', () => receipt('approved', (r) => (r.verifier.version = 0))],
  ['half a version', () => receipt('approved', (r) => (r.intent.successPolicy.version = 1.5))],
  ['another statement', () => receipt('approved', (r) => (r.attestation = 'States that the work has no defects.'))],
  ['an address with a query', () => receipt('approved', (r) => (r.canonicalUrl = r.canonicalUrl.replace('/receipts', '/?/receipts')))],
  ['its signers in another order', () => receipt('approved', (r) => r.signers.reverse())],
  ['no signers', () => receipt('approved', (r) => (r.signers = []))],
  ['a worker that submitted at another time', () => receipt('approved', (r) => (r.signers[1].at = r.timestamps.claimedAt))],
  ['a listing after its signature', () => receipt('approved', (r) => (r.signers[0].at = LATE))],
  ['an event without topics', () => receipt('approved', (r) => (r.settlementProof.event.topics = []))],
  ['a number of its block with a zero in front', () => receipt('approved', (r) => (r.settlementProof.blockNumber = '09'))],
  ['a truth as text', () => receipt('approved', (r) => (r.execution.sourceBinding.verified = 'true'))],
  ['an unknown source of its terms', () => receipt('approved', (r) => (r.intent.specSource = 'unchecked'))],
  ['another version', () => receipt('approved', (r) => (r.schemaVersion = 'service.work-receipt.v2'))],
  ['the version of a file', () => receipt('approved', (r) => (r.schemaVersion = 'service.dispute-file.v1'))],
  ['lists in lists as its header', () => receipt('approved', (r) => withHeader(r.settlementProof, nested(12_000)))],
  ['a node after the leaf', () => receipt('approved', (r) => r.settlementProof.inclusion.nodes.push('0x00'))],
]

/** A file of a job whose claims last as many seconds. */
const lasting = (seconds: number): Promise<Forgery> => file('split', (f) => setDuration(f, seconds))
/** A file of a job that commits to its expected outputs, which it states; changes say what is different. */
const committed = (change: Change = () => undefined): Promise<Forgery> => file('split', (f) => change(setCommitments(f)))

const REASONS = { rationale: 'Half of it works.', reasoningHash: HASH }
const FILES: Row[] = [
  [
    'another disputeId',
    () => file('split', (f) => Object.assign(f, { disputeId: 'dispute-1', canonicalUrl: 'https://work.example/disputes/dispute-1/file' })),
  ],
  ['an expected output without a commitment', () => file('split', (f) => (f.terms.expectedOutputs = [{ value: 'x', salt: HASH }]))],
  ['another expected output', () => committed((outputs) => (outputs[1].value = 'Straße 8'))],
  ['another salt of an expected output', () => committed((outputs) => (outputs[0].salt = HASH))],
  ['a commitment that no expected output opens', () => committed((outputs) => outputs.pop())],
  ['a note beside an expected output', () => committed((outputs) => (outputs[0].note = 'x'))],
  ['another artifact', () => file('split', (f) => (f.receipt.execution.artifactHash = HASH))],
  ['work that its receipt did not find', () => file('split', (f) => (f.receipt.execution.sourceBinding.verified = false))],
  ['a submission at another time', () => file('split', (f) => (f.submission.submittedAt = '2026-03-01T12:00:01.500Z'))],
  ['another deadline than its receipt', () => file('split', (f) => (f.deadlines.claimExpiresAt = LATE))],
  [
    'an arbitration that ended before it was opened',
    () => file('split', (f) => (f.deadlines.arbitrationEndsAt = '2026-03-01T11:00:00.000Z')),
  ],
  ['a window without an end', () => file('split', (f) => (f.deadlines.disputeWindowEndsAt = 'never'))],
  ['an opening after its signature', () => file('split', (f) => (f.openedAt = LATE))],
  ['a decision after its signature', () => file('split', (f) => (f.rounds[0].at = LATE))],
  ['a round twice', () => file('split', (f) => f.rounds.push(f.rounds[0]))],
  ['a division by a reviewer', () => file('split', (f) => (f.rounds[0].source = 'reviewer'))],
  ['reasons without a hash', () => file('split', (f) => (f.rounds[0].rationale = 'Half of it works.'))],
  [
    'reasons of another hash',
    () =>
      file('split', (f) => {
        Object.assign(f.rounds[0], REASONS)
        f.receipt.verdict.rationaleHash = HASH
      }),
  ],
  [
    'reasons of another dispute',
    () =>
      file('split', (f) => {
        const { verdict, workerPayout } = f.rounds[0]
        const { rationale } = REASONS
        const reasoningHash = sha256Of({ kind: 'dispute_rationale', disputeId: 'dispute-1', verdict, workerPayout, rationale })
        Object.assign(f.rounds[0], { rationale, reasoningHash })
        f.receipt.verdict.rationaleHash = reasoningHash
      }),
  ],
  ['another statement of its worker', () => file('split', (f) => (f.statement.text = 'I agree with the verdict of the arbitrator.'))],
  ['a statement of another hash', () => file('split', (f) => (f.statement.hash = HASH))],
  ['a statement after its signature', () => file('split', (f) => (f.statement.at = LATE))],
  ['a statement without a hash', () => file('upheld', (f) => (f.statement = { text: 'It is right.' }))],
  ['no word on a statement', () => file('upheld', (f) => delete f.statement)],
  ['other reasons than its receipt', () => file('split', (f) => (f.rounds[0].reasoningHash = HASH))],
  ['a decision of another transaction', () => file('split', (f) => (f.rounds[0].txHash = HASH))],
  ['an approval over an unmet check', () => file('split', (f) => (f.verdicts[0].outcome = 'approved'))],
  ['a rejection without a check', () => file('split', (f) => (f.verdicts[0].items = []))],
  ['an outcome that no verdict has', () => file('split', (f) => (f.verdicts[0].outcome = 'accepted'))],
  ['a bond that was not slashed', () => file('upheld', (f) => (f.receipt.verdict.workerConsequence = 'no_payout'))],
  ['a bond that was waived', () => file('upheld', (f) => (f.terms.waived = true))],
  ['terms of another job', () => file('split', (f) => (f.terms.specDefinition.id = 'job-2'))],
  ['a definition of another job', () => file('split', (f) => (f.terms.definition.id = 'job-2'))],
  ['terms with another verifier', () => file('split', (f) => (f.terms.specDefinition.verifierMode = 'human_fallback'))],
  [
    'a replaced verdict that it does not have',
    () =>
      file('split', (f) => {
        const { items } = f.verdicts[0]
        f.receipt.resolution.replacedVerdict = { outcome: 'rejected', reasonCode: 'OTHER', resolvedAt: f.verdicts[0].decidedAt, items }
      }),
  ],
  ['a claim after the verdict in its receipt', () => file('split', (f) => (f.receipt.timestamps.claimedAt = '2026-03-01T12:00:30.000Z'))],
  ['a history that ends otherwise', () => file('split', (f) => (f.log.at(-1).to = 'rejected'))],
  [
    'a history without its dispute',
    () => file('split', (f) => (f.log = [...f.log.slice(0, 2), { ...f.log[4], seq: 3, from: 'submitted' }])),
  ],
  ['an entry that cannot follow', () => file('split', (f) => (f.log[1].to = 'expired'))],
  ['an entry in 2999', () => file('split', (f) => (f.log[2].recordedAt = FUTURE))],
  ['an entry at no instant', () => file('split', (f) => (f.log[2].recordedAt = 'never'))],
  [
    'a history of another session',
    () => file('split', (f) => f.log.map((entry: Document) => Object.assign(entry, { sessionId: ID.replace('job-1', 'job-2') }))),
  ],
  ['the end of another transaction', () => file('split', (f) => (f.log.at(-1).metadata.txHash = HASH))],
  ['other decimals than its receipt', () => file('split', (f) => (f.terms.asset.decimals = 18))],
  ['another statement', () => file('split', (f) => (f.attestation = 'States that the decision was right.'))],
  ['another version', () => file('split', (f) => (f.schemaVersion = 'service.dispute-file.v2'))],
  [
    'a receipt that another key signed',
    async () => {
      const copy = copied(split(), () => undefined)
      copy.receipt = await signAsAnother(unsigned(copy.receipt))
      return textOf(await sign(unsigned(copy)))
    },
  ],
]

const HEADS: Row[] = [
  ['a head with another number of entries', () => heads(([one]) => (one.head.entryCount = 3))],
  ['heads of days in another order', () => heads(([one]) => (one.head.day = '2026-03-09'))],
  ['a head that closes its day early', () => heads(([one]) => (one.head.sealedAt = '2026-03-02T12:00:00.000Z'))],
  [
    'a head at no instant',
    () => heads(([one]) => Object.assign(one, { head: { ...one.head, sealedAt: '2026-03-03' }, signedAt: SIGNED_AT })),
  ],
  ['a head that was signed before its day ended', () => heads(([one]) => (one.signedAt = '2026-03-02T12:00:00.000Z'))],
  ['heads of two chains', () => heads(([one]) => (one.head.chainId = 1))],
  [
    'an entry in two heads',
    () =>
      heads(([one, two]) => {
        two.entries.push(one.entries[0])
        two.head.entryCount += 1
      }),
  ],
  [
    'two entries that follow one',
    () =>
      heads(([, two]) => {
        two.entries.push({ hash: HASH, previousHash: HISTORY[0]?.hash })
        two.head.entryCount += 1
      }),
  ],
  ['a head in 2999', () => heads(([, two]) => Object.assign(two.head, { sealedAt: FUTURE }))],
  ['a head of another version', () => heads(([one]) => (one.head.schemaVersion = 'service.session-log-head.v2'))],
  [
    'a list in another order',
    () => heads(([one]) => one.entries.map((entry: Document, place: number) => Object.assign(entry, { position: 2 - place }))),
  ],
]

const OTHER_KEYS: Row[] = [
  ['a badge', () => badge(() => undefined, theirs)],
  ['a receipt', () => receipt('approved', () => undefined, theirs)],
  ['a file', () => file('split', () => undefined, theirs)],
  ['heads', () => heads(() => undefined, theirs)],
]

const HISTORIES: Row[] = [
  ['an entry that was never recorded', () => history((log) => (log[1].recordedAt = 'never'))],
  ['every entry recorded in 2999', () => history((log) => log.map((entry: Document) => Object.assign(entry, { recordedAt: FUTURE })))],
  ['an entry in 2999', () => history((log) => Object.assign(log[4], { at: FUTURE }))],
  ['an instant without milliseconds', () => history((log) => (log[0].at = '2026-03-01T00:00:00Z'))],
  ['an instant as a number', () => history((log) => (log[0].at = NOW))],
  ['nothing that is published', () => history((log) => log.map((entry: Document) => Object.assign(entry, { recordedAt: LATE })))],
  ['a first entry that was replaced', () => history((log) => (log[0].reason = 'other'))],
  ['a last entry that was recorded later', () => history((log) => (log[4].recordedAt = LATE))],
  ['an entry after its end', () => history((log) => log.push({ ...log[4], seq: 6, from: 'resolved', to: 'closed', recordedAt: LATE }))],
  ['a status that sessions do not have', () => history((log) => (log[4].to = 'paid'))],
  ['an entry from another status', () => history((log) => (log[2].from = 'claimed'))],
  ['a first entry that is no claim', () => history((log) => Object.assign(log[0], { to: 'submitted' }))],
  ['a number as text', () => history((log) => (log[0].seq = '1'))],
  ['facts that are no object', () => history((log) => (log[0].metadata = null))],
  ['a member that entries do not have', () => history((log) => (log[0].paid = '1'))],
  ['the entries of another session', () => timeline((t) => (t.log = historyOf(['claimed', 'submitted'], 'job-2:0x1')))],
  ['no entries', () => timeline((t) => (t.log = []))],
  ['entries that are no list', () => timeline((t) => (t.log = { 0: t.log[0] }))],
  ['an altered reason', () => timeline((t) => (t.log[1].reason = 'other'))],
  ['a missing entry', () => timeline((t) => t.log.splice(2, 1))],
  ['its end cut', () => timeline((t) => t.log.pop())],
  ['a number beyond all others', () => timeline((t) => t.log.push({ ...t.log[4], seq: Number.MAX_SAFE_INTEGER }))],
  ['an expiry before its claim', () => endedAt('expired', '1970-01-01T00:00:00.000Z')],
  ['work submitted before its claim', () => endedAt('submitted', '1970-01-01T00:00:00.000Z', '2026-03-05T00:00:00.000Z')],
  ['an end in 1970', () => endedAt('closed', '1970-01-01T00:00:00.000Z', '2026-03-05T00:00:00.000Z')],
  ['an end before its claim', () => endedAt('timed_out', '2026-02-01T00:00:00.000Z', '2026-03-05T00:00:00.000Z')],
  ['an expiry an hour before its claim', () => endedAt('expired', '2026-02-28T23:00:00.000Z')],
  ['another continuation', () => timeline((t) => (t.log = rewritten(HISTORY, 3)))],
  ['another version', () => timeline((t) => (t.timelineVersion = 'v3'))],
  [
    'the session of another wallet',
    () => timeline((t) => (t.session = { sessionId: ID, jobId: 'job-1', chainJobId: HASH, wallet: OTHER })),
  ],
  [
    'a state that its last entry does not have',
    () => timeline((t) => (t.state = { seq: 5, status: 'closed', reason: 'reason_4', at: t.log[4].at })),
  ],
  ['a receipt beside it', () => timeline((t) => (t.receipt = { forged: true }))],
  [
    'the version of a later file',
    () => timeline((t) => Object.assign(t, { schemaVersion: 'service.dispute-file.v2', receipt: { forged: true } })),
  ],
  ['the version of a file', () => timeline((t) => (t.schemaVersion = 'service.dispute-file.v1'))],
  ['no heads', async () => ({ ...(await timeline(() => undefined)), evidence: { heads: [] } })],
  [
    'heads of another chain than the reader expects',
    async () => {
      const { text, evidence } = await timeline(() => undefined)
      return { text, evidence: { ...evidence, chainId: 1 } }
    },
  ],
  ['a head less', async () => withHeads({ log: HISTORY }, (await published()).slice(1))],
  [
    'an altered head',
    async () =>
      withHeads(
        { log: HISTORY },
        copied(await published(), ([one]) => (one.head.sealedAt = LATE)),
      ),
  ],
  [
    'a list that lacks an entry',
    async () =>
      withHeads(
        { log: HISTORY },
        copied(await published(), ([one]) => one.entries.pop()),
      ),
  ],
]

const KINDS: Row[] = [
  [
    'a file that is read as a history',
    async () => {
      const { evidence } = await timeline(() => undefined)
      const forged = { ...split(), schemaVersion: 'service.dispute-file.v2', receipt: { forged: true }, worker: OTHER, log: HISTORY }
      return { ...textOf(forged), ...(evidence && { evidence }) }
    },
  ],
  ['a version that is null', () => kept(approved, (r) => (r.schemaVersion = null))],
  ['a badge without its service', async () => ({ ...textOf({ ...records.badge, service: undefined }), evidence: { chainId: null } })],
  ['a service that is a list', async () => ({ ...textOf({ ...records.badge, service: [] }), evidence: { chainId: null } })],
  ['a list of receipts', async () => textOf([approved()])],
  ['a receipt as text', async () => textOf(JSON.stringify(approved()))],
  ['nothing', async () => textOf(null)],
  ['a head alone', async () => textOf((await published())[0]?.head)],
]

const KEYS: Row[] = [
  ['retired at a number', () => keySet((key) => (key.retiredAt = NOW + 1e9))],
  ['retired at a text that is no instant', () => keySet((key) => (key.retiredAt = 'never'))],
  ['without the end of its window', () => keySet((key) => delete key.retiredAt)],
  ['valid from a number', () => keySet((key) => (key.validFrom = 0))],
  ['valid from an instant without milliseconds', () => keySet((key) => (key.validFrom = '2020-01-01T00:00:00Z'))],
  ['of another algorithm', () => keySet((key) => (key.alg = 'ES384'))],
  ['that encrypts', () => keySet((key) => (key.use = 'enc'))],
  ['of another curve', () => keySet((key) => (key.crv = 'P-384'))],
  [
    'that is listed twice',
    async () => {
      const { keys } = records.evidence.keySet as { keys: Document[] }
      return { ...textOf(approved()), evidence: { keySet: { keys: [...keys, ...keys] } } }
    },
  ],
]

const TEXTS: Row[] = [
  ['a level just below 1', () => badgeText('"level":1', '"level":0.99999999999999999')],
  ['a level just above 1', () => badgeText('"level":1', '"level":1.00000000000000001')],
  ['a level of 1.0', () => badgeText('"level":1', '"level":1.0')],
  ['a level of 1e0', () => badgeText('"level":1', '"level":1e0')],
  ['a share just below all', () => badgeText('"workerShareBps":10000', '"workerShareBps":9999.99999999999999999')],
  ['decimals beyond a double', () => badgeText('"decimals":6', '"decimals":6.0000000000000000001')],
  ['a second level', () => badgeText('"level":1', '"level":1,"level":1')],
  ['a second level with an escaped name', () => badgeText('"level":1', '"level":1,"\\u006cevel":9')],
  ['half a surrogate pair', () => badgeText('"description":"', '"description":"\\ud800')],
  ['65 levels', () => badgeText('"name":', `"lineage":${'{"a":'.repeat(65)}1${'}'.repeat(65)},"name":`)],
]

const SIGNATURES: Row[] = [
  ['another worker', () => kept(approved, (r) => (r.worker = OTHER))],
  ['another address', () => kept(approved, (r) => (r.canonicalUrl = r.canonicalUrl.replace('work', 'other')))],
  ['another reason in its file', () => kept(split, (f) => (f.reasonCode = 'OTHER'))],
  ['another date', () => kept(approved, (r) => (r.signature.signedAt = LATE))],
  ['a payload', () => kept(approved, (r) => (r.signature.sig = r.signature.sig.replace('..', '.e30.')))],
  [
    'another text of the same bytes',
    () =>
      kept(
        approved,
        (r) => (r.signature.sig = r.signature.sig.replace(/.$/, (end: string) => ({ A: 'B', Q: 'R', g: 'h', w: 'x' })[end] ?? '')),
      ),
  ],
  ['no algorithm', () => kept(approved, (r) => (r.signature.alg = 'none'))],
  ['another key id', () => kept(approved, (r) => (r.signature.kid = 'badge-2'))],
  ['a member more', () => kept(approved, (r) => (r.signature.note = 'x'))],
  ['no signature', () => kept(approved, (r) => delete r.signature)],
  ['the signature of another receipt', () => kept(approved, (r) => (r.signature = records.receipts.get('split').signature))],
]

const verify = async ({ text, evidence }: Forgery) => checkRecord(parseStrict(text), { ...records.evidence, ...evidence })

const CONTRADICTING = contradictions({ badge, disputed, receipt, file, approved, badgeItems: () => records.badge.items })
const WITH_OUR_KEY = {
  badge: [...BADGES, ...CONTRADICTING.badges],
  'work receipt': [...RECEIPTS, ...CONTRADICTING.receipts],
  'dispute file': [...FILES, ...CONTRADICTING.files],
  'history by': HEADS,
}
const WITHOUT = {
  'history with': HISTORIES,
  'record that is': KINDS,
  'record by a key': KEYS,
  'text of a badge with': TEXTS,
  'signature with': SIGNATURES,
  'record of another key:': OTHER_KEYS,
}

describe.each(Object.entries(WITH_OUR_KEY))('a forged %s, signed again with our own key', (_kind, rows) => {
  test.each(rows)('is refused: %s', async (_what, forge) => {
    await expect(forge().then(verify)).rejects.toThrow(Refused)
  })
})

describe.each(Object.entries(WITHOUT))('a %s', (_kind, rows) => {
  test.each(rows)('%s is refused', async (_what, forge) => {
    await expect(forge().then(verify)).rejects.toThrow(Refused)
  })
})

test('forgeries are more than a hundred, half of them with our own key', () => {
  const [own, others] = [WITH_OUR_KEY, WITHOUT].map((tables) => Object.values(tables).flat().length) as [number, number]
  expect([own >= 50, others >= 50]).toEqual([true, true])
})

test('a record that was only signed again is sound, so each forgery is refused for its own change', async () => {
  const nothing = () => undefined
  for (const end of ends) await verify(await receipt(end, nothing))
  for (const end of DISPUTED) await verify(await file(end, nothing))
  await verify(await committed())
  await verify(await lasting(3_700))
  await verify(await committed((outputs) => (outputs[1].value = ' STRASSE  7')))
  for (const forge of [
    badge(nothing),
    disputed('arbitration', nothing),
    disputed('timeout', nothing),
    heads(nothing),
    history(nothing),
    timeline(nothing),
    keySet(nothing),
  ])
    await verify(await forge)
})
