// Checks any record, and says what it proves. Runs in Node and in browsers.
import { BADGE_CHECKED, BADGE_DOES_NOT_PROVE, checkBadge, describeBadge, readBadge } from './badge.ts'
import { checkDisputeFile, describeDisputeFile, FILE_CHECKED, FILE_DOES_NOT_PROVE, readDisputeFile } from './dispute-file.ts'
import { assert, canonical, isObject, type Members, printable, toHex, Undecided, UnknownRecord, utf8 } from './encoding/json.ts'
import { keccak256 } from './encoding/keccak.ts'
import { checkFunding, describeFunding, FUNDING_CHECKED, FUNDING_DOES_NOT_PROVE, readFunding } from './payments/funding-receipt.ts'
import { chainOfRun, checkRun, describeRun, isOfRun, RUN_CHECKED, RUN_DOES_NOT_PROVE, readRun } from './payments/run-receipt.ts'
import { checkReceipt, describeReceipt, RECEIPT_CHECKED, RECEIPT_DOES_NOT_PROVE, readReceipt } from './receipt.ts'
import { plainText, type Sentence, sentence } from './sentence.ts'
import {
  assertSound,
  checkHeads,
  countPublished,
  describeHistory,
  HISTORY_CHECKED,
  type HistoryEvidence,
  logShape,
  readHistory,
  type SavedHead,
} from './session-log.ts'
import type { MinedTransaction } from './settlement-proof.ts'
import * as is from './shape.ts'
import { checkSignature, type SigningKey } from './signature.ts'
import { checkExpectedOutputs, checkIds, expectedOutputs } from './verdict.ts'

/** What a check needs beside the record. */
export interface Evidence extends HistoryEvidence {
  /** Key set of the service, as `/.well-known/jwks.json` answers. */
  keySet: unknown
  /** Whether the service that the record names answers this key set now: then it has every key that signed records. */
  isKeySetComplete?: boolean
  /** Id of the chain that the reader expects; null for any. */
  chainId: number | null
}

/** A sound record. */
export interface Report {
  kind: string
  /** Key of the signature; null for a history, which heads vouch for. */
  key: SigningKey | null
  /** The record in one sentence: who did what, what was paid, and when. */
  about: Sentence
  /** What was checked, one a line. */
  checked: readonly string[]
  proves: string[]
  doesNotProve: readonly string[]
  /** Transaction that a node can be asked about; null without one. */
  settlement: MinedTransaction | null
}

/** Epoch ms of an input; the time of this computer for an empty one. */
export const readNow = (text: string | undefined): number => {
  if (text === undefined || text.trim() === '') return Date.now()
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new Error(`${text} is no instant`)
  return at
}

/** Saved heads of an input. Refuses an empty list: it would vouch for nothing. */
export const readHeads = (heads: unknown): SavedHead[] => {
  if (!Array.isArray(heads) || heads.length === 0) throw new Error('the heads are no list of heads')
  return heads
}

/** Chain id of an input; null for an empty one. */
export const readChainId = (text: string | undefined): number | null => {
  if (text === undefined || text.trim() === '') return null
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id < 1) throw new Error(`${text} is no chain id`)
  return id
}

const assertChain = (chainId: unknown, expected: number | null): void =>
  assert(expected === null || chainId === expected, `it is of the chain ${chainId}, not ${expected}`)

/** Refuses heads that are not those that the service signed. */
const assertHeads = async ({ heads, keySet, now }: Evidence): Promise<void> => {
  const faults = heads.length === 0 ? [] : await checkHeads(heads, keySet, now)
  assert(faults.length === 0, faults.join('; '))
}

const assertHeadsOf = ({ heads }: Evidence, chainId: unknown): void =>
  assert(chainId === null || heads.length === 0 || heads[0]?.head.chainId === chainId, 'its heads are of another chain')

const assertNoHeads = ({ heads }: Evidence): void => {
  if (heads.length > 0) throw new Error('heads are for a history or a dispute file')
}

/** What only a node can tell. */
export const UNCHECKED = 'that the block is in the chain that others follow, and the hash of the transaction: ask a node'
/** What the reader has to compare. */
const CONTRACT = 'that the contract of the event is the escrow of the service: compare its address'

/** Shape of the answer of `GET /session/timeline`; what stands beside its log is not signed. */
const timelineShape = is.closed(
  { log: logShape },
  {
    timelineVersion: is.oneOf('v2'),
    session: is.open({ sessionId: is.text(/./), jobId: is.text(/./), chainJobId: is.bytes32, wallet: is.party }),
    state: is.open({ seq: is.integer(1), status: is.anyText, reason: is.anyText, at: is.instant }),
    ...Object.fromEntries(
      ['lifecycle', 'verification', 'childJobs', 'lineage', 'stateMachine', 'timeline'].map((name) => [name, is.anything]),
    ),
  },
)

const checkTimeline = async (record: Members, evidence: Evidence): Promise<Report> => {
  timelineShape(record, '')
  const { heads } = evidence
  if (heads.length === 0) throw new Undecided('a history needs signed heads')
  await assertHeads(evidence)
  assertHeadsOf(evidence, evidence.chainId)
  const log = record.log as Members[]
  assertSound(log, evidence)
  const { session, state } = record
  const last = log.at(-1)
  if (isObject(session)) {
    checkIds({ ...session, worker: session.wallet })
    assert(session.sessionId === last?.sessionId, 'its history is of another session')
  }
  const fits = isObject(state)
    ? [state.seq === last?.seq, state.status === last?.to, state.reason === last?.reason, state.at === last?.at]
    : []
  assert(!fits.includes(false), 'its state is not that of the last entry')
  const doesNotProve = ['that an entry was true when it was made', 'an entry that no head has yet', 'what the answer says beside its log']
  const kind = `history, with ${heads.length} signed heads`
  const about = describeHistory(log, heads)
  return { kind, key: null, about, checked: HISTORY_CHECKED, proves: readHistory(log, heads), doesNotProve, settlement: null }
}

const checkRunReceipt = async (record: Members, evidence: Evidence): Promise<Report> => {
  await checkRun(record)
  assertChain(chainOfRun(record), evidence.chainId)
  const key = await checkSignature(record, evidence.keySet, evidence.now, evidence.isKeySetComplete)
  const [about, proves] = [describeRun(record), readRun(record)]
  return {
    kind: 'work receipt of a paid run',
    key,
    about,
    checked: RUN_CHECKED,
    proves,
    doesNotProve: RUN_DOES_NOT_PROVE,
    settlement: null,
  }
}

const checkWorkReceipt = async (record: Members, evidence: Evidence): Promise<Report> => {
  assertNoHeads(evidence)
  if (isOfRun(record)) return checkRunReceipt(record, evidence)
  const checked = await checkReceipt(record)
  assertChain(checked.proof.chainId, evidence.chainId)
  const key = await checkSignature(record, evidence.keySet, evidence.now, evidence.isKeySetComplete)
  const doesNotProve = [...RECEIPT_DOES_NOT_PROVE, CONTRACT, UNCHECKED]
  const about = describeReceipt(record, checked)
  const proves = readReceipt(record, checked)
  return { kind: 'work receipt', key, about, checked: RECEIPT_CHECKED, proves, doesNotProve, settlement: checked.proof }
}

const checkFundingReceipt = async (record: Members, evidence: Evidence): Promise<Report> => {
  assertNoHeads(evidence)
  await checkFunding(record)
  assertChain(record.chainId, evidence.chainId)
  const key = await checkSignature(record, evidence.keySet, evidence.now, evidence.isKeySetComplete)
  // Its shape was checked.
  const settlement = { chainId: record.chainId, ...(record.funding as Members), mined: null } as unknown as MinedTransaction
  const [about, proves] = [describeFunding(record), readFunding(record)]
  const doesNotProve = [...FUNDING_DOES_NOT_PROVE, UNCHECKED]
  return { kind: 'funding receipt', key, about, checked: FUNDING_CHECKED, proves, doesNotProve, settlement }
}

const checkFile = async (record: Members, evidence: Evidence): Promise<Report> => {
  const { keySet, now, isKeySetComplete } = evidence
  await assertHeads(evidence)
  const checked = await checkDisputeFile(record, evidence)
  assertHeadsOf(evidence, record.chainId)
  assertChain(checked.proof.chainId, evidence.chainId)
  await checkSignature(record.receipt as Members, keySet, now, isKeySetComplete)
  const key = await checkSignature(record, keySet, now, isKeySetComplete)
  const doesNotProve = [...FILE_DOES_NOT_PROVE, CONTRACT, UNCHECKED]
  const about = describeDisputeFile(record, checked)
  const proves = readDisputeFile(record, checked)
  const [count, published] = [(record.log as Members[]).length, countPublished(record.log as Members[], evidence.heads)]
  const more =
    evidence.heads.length === 0 ? [] : [`The heads of the session log publish ${published} of the ${count} entries of the history.`]
  return { kind: 'dispute file', key, about, checked: [...FILE_CHECKED, ...more], proves, doesNotProve, settlement: checked.proof }
}

const checkAgentBadge = async (record: Members, evidence: Evidence): Promise<Report> => {
  assertNoHeads(evidence)
  if (evidence.chainId !== null) throw new Error('a badge names no chain: check its work receipt')
  checkBadge(record)
  const key = await checkSignature(record, evidence.keySet, evidence.now, evidence.isKeySetComplete)
  const [about, proves] = [describeBadge(record), readBadge(record)]
  return { kind: 'badge', key, about, checked: BADGE_CHECKED, proves, doesNotProve: BADGE_DOES_NOT_PROVE, settlement: null }
}

/** The part of an answer of `GET /jobs/definition` that is checked; nothing of it is signed. */
const definitionShape = is.open({
  id: is.text(/./),
  verifierConfig: is.object,
  verificationContract: is.open({ verifierConfigHash: is.bytes32 }),
  expectedOutputs,
})

const checkDefinition = async (record: Members, evidence: Evidence): Promise<Report> => {
  assertNoHeads(evidence)
  if (evidence.chainId !== null) throw new Error('a definition names no chain')
  if (record.expectedOutputs === undefined)
    throw new Undecided('it has no expected outputs: they are published once its job cannot be claimed')
  definitionShape(record, '')
  const { verifierConfigHash } = record.verificationContract as Members
  const hash = toHex(keccak256(utf8(canonical(record.verifierConfig))))
  assert(hash === verifierConfigHash, 'its verifierConfig is not that of its hash')
  const count = await checkExpectedOutputs(record.verifierConfig, record.expectedOutputs as Members[])
  return {
    kind: 'job definition',
    key: null,
    about: sentence`The job ${{ id: String(record.id) }} has ${String(count)} expected outputs, and each is the one that its terms commit to.`,
    checked: ['Each expected output opens its commitment.', 'The verifier config has the hash that the definition states.'],
    proves: [`its ${count} expected outputs are those that the verifier config with the hash ${hash} commits to`],
    doesNotProve: ['that this config was listed and claimed: compare the hash with what you read then', 'that an expected output is right'],
    settlement: null,
  }
}

type Check = (record: Members, evidence: Evidence) => Promise<Report>
const CHECKS = {
  badge: checkAgentBadge,
  'work receipt': checkWorkReceipt,
  'funding receipt': checkFundingReceipt,
  'dispute file': checkFile,
  history: checkTimeline,
  'job definition': checkDefinition,
} as const satisfies Record<string, Check>
export type Kind = keyof typeof CHECKS

const VERSIONS: ReadonlyMap<unknown, Kind> = new Map([
  ['service.work-receipt.v1', 'work receipt'],
  ['service.funding-receipt.v1', 'funding receipt'],
  ['service.dispute-file.v1', 'dispute file'],
])

/** Kind of a record: its schemaVersion, else the member that only this kind has. No option changes it. */
export const kindOf = (record: unknown): Kind => {
  if (!isObject(record)) throw new UnknownRecord('it is no object')
  const { schemaVersion } = record
  const versioned = VERSIONS.get(schemaVersion)
  if (versioned !== undefined) return versioned
  if (schemaVersion !== undefined) throw new UnknownRecord(`its schemaVersion is none of ${[...VERSIONS.keys()].join(', ')}`)
  if (record.service !== undefined) return 'badge'
  if (record.log !== undefined) return 'history'
  if (record.verifierConfig !== undefined) return 'job definition'
  throw new UnknownRecord('it is no badge, work receipt, funding receipt, dispute file, timeline or job definition')
}

/** Checks a record. Throws `Refused` with the reason for one that is not sound. */
export const checkRecord = async (record: unknown, evidence: Evidence): Promise<Report> =>
  CHECKS[kindOf(record)](record as Members, evidence)

/** The report as lines of text. */
export const reportLines = ({ kind, key, about, checked, proves, doesNotProve }: Report): string[] =>
  [
    key === null
      ? `Consistent in itself, without a signature: a ${kind}.`
      : `Sound: a ${kind}, signed at ${key.signedAt} with the key ${key.kid}, valid from ${key.validFrom}${key.retiredAt === null ? '' : ` to ${key.retiredAt}`}.`,
    plainText(about),
    'Checked:',
    ...checked.map((line) => `  ${line}`),
    'It states:',
    ...proves.map((line) => `  ${line}`),
    'It does not prove:',
    ...doesNotProve.map((line) => `  ${line}`),
  ].map(printable)
