import { isCommittedFacts, pinnedSource } from '../../domain/catalogue/committed-facts.ts'
import { pinnedAddresses } from '../../domain/catalogue/open-data.ts'
import { type NeedChecks, needReason, verdictNeeds } from '../../domain/catalogue/readiness.ts'
import { iso } from '../../domain/common/instants.ts'
import {
  checkRehearsed,
  judgedFinding,
  type RehearsedFinding,
  refusedFinding,
  rehearsalPlaceholders,
  rehearsalWarnings,
} from '../../domain/postings/rehearsal.ts'
import { isOpenData } from '../../domain/verification/foreseen-rejection.ts'
import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import type { Rehearsal } from '../../schemas/postings/terms.ts'
import type { Unavailable, Verdict } from '../../schemas/verification/verdict.ts'
import { stallTolerantTimeout } from '../common/timeout.ts'
import type { Rows } from '../database/database.ts'
import { createVerifierHandlers } from '../verification/registry.ts'
import type { VerifierSources } from '../verification/sources.ts'

/** Time for all reads of a rehearsal; a caller waits for its answer. */
const LIMIT_MS = 20_000

type Rehearsed = Pick<PostingRecord, 'poster' | 'definition' | 'expectedOutputs'>

export interface RehearsalDeps {
  /** Each read has the outbound guards and its own time limit. */
  sources: VerifierSources
  /** Last checks of what verdicts need. */
  checks: NeedChecks
  /** Epoch ms. */
  now: number
  limitMs?: number
}

/** One read for each distinct argument. */
const readOnce = <Argument, Answer>(read: (argument: Argument) => Promise<Answer>) => {
  const answers = new Map<string, Promise<Answer>>()
  return (argument: Argument): Promise<Answer> => {
    const key = JSON.stringify(argument)
    const answer = answers.get(key) ?? read(argument)
    answers.set(key, answer)
    return answer
  }
}

/** Sources that read a revision, address or pull request once, however many submissions name it. */
const readEachOnce = ({ readRevision, readPullRequest, isReachable, readDigest }: VerifierSources): VerifierSources => ({
  runProfile: null,
  readRevision: readOnce(readRevision),
  readPullRequest: readOnce(readPullRequest),
  isReachable: readOnce(isReachable),
  readDigest: readOnce(readDigest),
})

const TIMED_OUT: RehearsedFinding = {
  schemaValid: true,
  outcome: 'unavailable',
  score: null,
  reasonCode: 'REHEARSAL_TIMED_OUT',
  detail: 'The inputs of the verdict were not read in the time of a rehearsal.',
  items: [],
}

/** Inputs that the terms pin and that cannot be read now, in words. */
const unreadableInputs = async (definition: JobDefinition, sources: VerifierSources, checks: NeedChecks): Promise<string[]> => {
  const { verifierConfig: config, source } = definition
  if (config.handler === 'benchmark' && config.anchorEvidence !== undefined) {
    const revision = await sources.readRevision(config.anchorEvidence)
    return 'unavailable' in revision ? [`The pinned revision could not be read: ${revision.unavailable}.`] : []
  }
  if (isOpenData(definition)) {
    const { datasetUrl, resourceUrl } = pinnedAddresses(source)
    const answers = await Promise.all([datasetUrl, resourceUrl].map(async (url) => url !== '' && (await sources.isReachable(url))))
    return answers.every(Boolean) ? [] : ['A pinned address did not answer.']
  }
  if (isCommittedFacts(definition)) {
    const address = pinnedSource(source)
    return address !== null && 'sha256' in (await sources.readDigest(address)) ? [] : ['The pinned source did not answer.']
  }
  const host = checks.get('code_host')
  const reason = host !== undefined && verdictNeeds(definition).includes('code_host') ? needReason(host) : null
  return reason === null ? [] : [`The code host could not be read at the last check: ${reason}.`]
}

/**
 * Runs the verifier of a posting over submissions of its poster and over placeholders, as the run of a claimed job does. An input that cannot
 * be read is a warning. Nothing of a submission is logged or stored.
 */
export const rehearse = async (posting: Rehearsed, submissions: readonly unknown[], deps: RehearsalDeps): Promise<Rehearsal> => {
  const { definition, expectedOutputs, poster } = posting
  const sources = readEachOnce(deps.sources)
  const handler = createVerifierHandlers(sources).get(definition.verifierMode)
  if (handler === undefined) throw new Error(`no handler for ${definition.verifierMode}`)
  const timedOut = Promise.withResolvers<null>()
  const cancelTimeout = stallTolerantTimeout(deps.limitMs ?? LIMIT_MS, () => timedOut.resolve(null))

  const evaluate = (submission: unknown): Promise<Verdict | Unavailable> =>
    handler.evaluate({
      sessionId: `rehearsal:${poster}`,
      wallet: poster,
      config: definition.verifierConfig,
      definition,
      outputSchema: jobSchemaByRef(definition.outputSchemaRef) ?? null,
      expectedOutputs,
      submission,
      knownRepository: null,
      attemptKey: null,
    })

  const judge = async (submission: unknown): Promise<RehearsedFinding> => {
    const checked = checkRehearsed(definition, submission)
    if (!checked.valid) return refusedFinding(checked)
    const found = await Promise.race([evaluate(checked.normalized), timedOut.promise])
    return found === null ? TIMED_OUT : judgedFinding(found)
  }

  try {
    const [own, placeholders, unreadable] = await Promise.all([
      Promise.all(submissions.map(async (submission, index) => ({ index, ...(await judge(submission)) }))),
      Promise.all(
        rehearsalPlaceholders(definition).map(async ({ kind, submission }) => {
          const { outcome, reasonCode } = await judge(submission)
          return { kind, outcome, reasonCode }
        }),
      ),
      Promise.race([unreadableInputs(definition, sources, deps.checks), timedOut.promise]),
    ])
    const found = { submissions: own, placeholders, unreadable: unreadable ?? [TIMED_OUT.detail] }
    return { ranAt: iso(deps.now), submissions: own, placeholders, warnings: rehearsalWarnings(definition, found) }
  } finally {
    cancelTimeout()
  }
}

/** The posting of a draft as a rehearsal needs it; null for an unknown draft. */
export const findRehearsed = async (rows: Rows, draftId: `0x${string}`) =>
  (await rows
    .selectFrom('posting')
    .select(['jobId', 'poster', 'definition', 'expectedOutputs'])
    .where('draftId', '=', draftId)
    .executeTakeFirst()) ?? null

/** Stores the result as the last rehearsal of the posting. */
export const storeRehearsal = async (rows: Rows, jobId: `0x${string}`, rehearsal: Rehearsal): Promise<void> => {
  await rows.updateTable('posting').set({ rehearsal }).where('jobId', '=', jobId).execute()
}
