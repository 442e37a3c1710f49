import { isCommittedFacts, pinnedSource } from '../../domain/catalogue/committed-facts.ts'
import { pinnedAddresses } from '../../domain/catalogue/open-data.ts'
import { HANDLER_VERSIONS } from '../../domain/catalogue/verification-contract.ts'
import { offeredPullRequest } from '../../domain/pull-requests/address.ts'
import { isExpectedRepo } from '../../domain/pull-requests/checks.ts'
import { expectedWork } from '../../domain/pull-requests/expected.ts'
import { judgeBenchmark, judgeRevisionAnchors } from '../../domain/verification/benchmark.ts'
import { judgePullRequest } from '../../domain/verification/codehost-pr.ts'
import { opensCommitments } from '../../domain/verification/commitments.ts'
import { judgeDeterministic, judgeOpenData, UNOPENED } from '../../domain/verification/deterministic.ts'
import { isOpenData, judgePinned } from '../../domain/verification/foreseen-rejection.ts'
import { judgeHumanFallback } from '../../domain/verification/human-fallback.ts'
import { approveFacts, committedDigest, judgeFacts, type SourceState } from '../../domain/verification/source-facts/judge.ts'
import { foreseePatch, judgeProfileRun, patchInput } from '../../domain/verification/source-facts/profile.ts'
import type { ExpectedOutput, JobDefinition, VerifierConfig } from '../../schemas/catalogue/job-definition.ts'
import type { MemberSchema } from '../../schemas/catalogue/job-schemas/parts.ts'
import type { VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import type { KnownRepository, PullRequestReading } from '../../schemas/pull-requests/record.ts'
import type { Finding, Unavailable, Verdict } from '../../schemas/verification/verdict.ts'
import type { SourceDigest, VerifierSources } from './sources.ts'

/** Inputs of a verdict: the pinned terms and the stored submission. */
export interface VerifierInput {
  sessionId: string
  /** Lower case. */
  wallet: string
  /** Pinned at the claim. */
  config: VerifierConfig
  /** Pinned at the claim. */
  definition: Pick<JobDefinition, 'source' | 'verification' | 'verifierMode'>
  /** Pinned at the claim; null for jobs that take text. */
  outputSchema: MemberSchema | null
  /** What opens the commitments of the config; empty for a config without any. */
  expectedOutputs: readonly ExpectedOutput[]
  /** The schema object itself, or the text. */
  submission: unknown
  /** Repository of the first read of a pull request; null before it. */
  knownRepository: KnownRepository | null
  /** Names this attempt of a run; null where nothing is run, as for a preview. */
  attemptKey: string | null
  /** Person whom the claim named as the one who answers for the work; absent without one. */
  responsiblePerson?: string | undefined
}

/** Judges submissions of one mode. Source: lifecycle, "Verifier handlers". */
export interface VerifierHandler {
  evaluate(input: VerifierInput): Promise<Verdict | Unavailable>
}

type ConfigOf<Mode extends VerifierMode> = Extract<VerifierConfig, { handler: Mode }>

const isConfigOf = <Mode extends VerifierMode>(config: VerifierConfig, mode: Mode): config is ConfigOf<Mode> => config.handler === mode

/** Handler of a mode. A pinned config of another mode is a platform fault that never counts against the worker. */
const createHandler = <Mode extends VerifierMode>(
  handler: Mode,
  judge: (config: ConfigOf<Mode>, input: VerifierInput) => Promise<(Finding & Partial<Verdict>) | Unavailable>,
): VerifierHandler => ({
  evaluate: async (input) => {
    const { config } = input
    const verdict = { handler, handlerVersion: HANDLER_VERSIONS[handler] }
    if (!isConfigOf(config, handler)) {
      const detail = `The pinned config is for ${config.handler}.`
      return { ...verdict, outcome: 'platform_fault', score: 0, reasonCode: 'VERIFIER_CONFIG_MISMATCH', detail, items: [] }
    }
    const found = await judge(config, input)
    return 'unavailable' in found ? found : { ...verdict, ...found }
  },
})

/** Judges by keywords, and by the pinned revision if the job has one. An unavailable revision gives no verdict. */
export const createBenchmarkHandler = ({ readRevision }: Pick<VerifierSources, 'readRevision'>): VerifierHandler =>
  createHandler('benchmark', async (config, { outputSchema, submission }) => {
    const keywords = judgeBenchmark(config, outputSchema, submission)
    if (config.anchorEvidence === undefined || keywords.outcome !== 'approved') return keywords
    const revision = await readRevision(config.anchorEvidence)
    if ('unavailable' in revision) {
      const detail = `The pinned revision could not be read: ${revision.unavailable}.`
      return { unavailable: { reasonCode: 'BENCHMARK_PINNED_REVISION_UNAVAILABLE', detail } }
    }
    return judgeRevisionAnchors(keywords, submission, revision.text)
  })

/** Reads the submitted pull request if it is in the job's own repository. A worker cannot make the service read another one. */
const readOffered = async (
  { submission, definition }: VerifierInput,
  { readPullRequest }: Pick<VerifierSources, 'readPullRequest'>,
): Promise<PullRequestReading> => {
  const offered = offeredPullRequest(submission)
  if (offered.ref === null) return { status: 'not_applicable', reason: 'codehost_pr_url_invalid' }
  if (!isExpectedRepo(offered, expectedWork(definition.source))) return { status: 'not_applicable', reason: 'codehost_repo_mismatch' }
  return readPullRequest(offered.ref)
}

const createUnavailable = (reason: string, retryAfterSeconds: number | null): Unavailable => ({
  unavailable: {
    reasonCode: 'CODEHOST_PR_LOOKUP_UNAVAILABLE',
    detail: reason,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  },
})

/** Judges a pull request by its state on the code host. An unreachable host gives no verdict; a permanent refusal leads to human review. */
export const createCodehostPrHandler = (sources: Pick<VerifierSources, 'readPullRequest'>): VerifierHandler =>
  createHandler('codehost_pr', async (config, input) => {
    const { definition, submission, wallet, sessionId, responsiblePerson, knownRepository } = input
    const claimant = { wallet, sessionId, responsiblePerson }
    const reading = await readOffered(input, sources)
    if (reading.status === 'unavailable' && reading.isTransient) return createUnavailable(reading.reason, reading.retryAfterSeconds)
    const finding = judgePullRequest({ config, definition, submission, claimant, reading, knownRepository })
    if (finding.escalatedFrom === undefined) return finding
    return { ...finding, handler: 'human_fallback', handlerVersion: HANDLER_VERSIONS.human_fallback }
  })

/** Fetches the submitted addresses only if they equal the pinned ones. */
const judgeAddresses = async ({ definition, submission }: VerifierInput, { isReachable }: Pick<VerifierSources, 'isReachable'>) => {
  const pinned = pinnedAddresses(definition.source)
  const before = judgePinned(definition, submission)
  if (before.outcome !== 'approved') return before
  const [datasetReachable, resourceReachable] = await Promise.all([isReachable(pinned.datasetUrl), isReachable(pinned.resourceUrl)])
  return judgeOpenData(submission, { ...pinned, datasetReachable, resourceReachable })
}

/** More bytes than a source may have are other bytes than those of the facts. */
const stateOf = (found: SourceDigest, outputs: readonly ExpectedOutput[]): SourceState => {
  if ('fault' in found) return found.fault === 'too_large' ? 'changed' : 'unreachable'
  return found.sha256 === committedDigest(outputs) ? 'unchanged' : 'changed'
}

/** Fetches the pinned source only for a submission that does not state every fact. */
const judgeSourceFacts = async (
  { definition, expectedOutputs, submission }: VerifierInput,
  { readDigest }: Pick<VerifierSources, 'readDigest'>,
): Promise<Finding> => {
  const approval = approveFacts(expectedOutputs, submission)
  if (approval !== null) return approval
  const address = pinnedSource(definition.source)
  const found: SourceDigest = address === null ? { fault: 'unreachable' } : await readDigest(address)
  return judgeFacts(expectedOutputs, submission, stateOf(found, expectedOutputs))
}

/** Judges by comparison with the expected outputs, by facts of a pinned source, or by whether pinned addresses are in the submission and respond. */
export const createDeterministicHandler = (sources: Pick<VerifierSources, 'isReachable' | 'readDigest'>): VerifierHandler =>
  createHandler('deterministic', async (config, input) => {
    const { definition, expectedOutputs, submission } = input
    if (isOpenData(definition)) return judgeAddresses(input, sources)
    if (!opensCommitments(config, expectedOutputs)) return UNOPENED
    if (isCommittedFacts(definition)) return judgeSourceFacts(input, sources)
    return judgeDeterministic(config.matchMode, expectedOutputs, submission)
  })

/** Sends every submission to human review. */
export const createHumanFallback = () => createHandler('human_fallback', async (config) => judgeHumanFallback(config))

const NOT_RUN_HERE: Unavailable = {
  unavailable: { reasonCode: 'VERIFICATION_PROFILE_INCONCLUSIVE', detail: 'A profile runs only for a verdict, not for a preview.' },
}

/** Judges by a run of the pinned profile. A run without a result gives no verdict. */
export const createVerificationProfileHandler = ({ runProfile }: Pick<VerifierSources, 'runProfile'>): VerifierHandler =>
  createHandler('verification_profile', async (config, { submission, attemptKey }) => {
    const foreseen = foreseePatch(config, submission)
    if (foreseen !== null) return foreseen
    if (runProfile === null || attemptKey === null) return NOT_RUN_HERE
    return judgeProfileRun(config, await runProfile({ config, work: { patch: patchInput(submission) }, key: attemptKey }))
  })
